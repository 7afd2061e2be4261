package io.updraft.engine.pressure;

import io.updraft.engine.grouping.Load;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * For each task, whether it is overloaded, whether its calls are quick, and its loop. Written by the loop that owns the task
 * when its queue crosses a mark, by the gateway for tasks of other workers, and while all loops stand still. Read by groupers
 * on any thread; an answer that is out of date does no harm.
 */
public final class TaskOverload implements Load {

    private final boolean[] overloaded;
    private final boolean[] slow;
    private final int[] loops;
    private int placement;
    private final AtomicLong version = new AtomicLong();

    public TaskOverload(int tasks) {
        overloaded = new boolean[tasks];
        slow = new boolean[tasks];
        loops = new int[tasks];
    }

    @Override
    public boolean isOverloaded(int taskId) {
        return overloaded[taskId];
    }

    @Override
    public boolean isQuick(int taskId) {
        return !slow[taskId];
    }

    @Override
    public int loopOf(int taskId) {
        return loops[taskId];
    }

    @Override
    public int placement() {
        return placement;
    }

    public void set(int[] taskIds, boolean now) {
        for (int task : taskIds) {
            overloaded[task] = now;
        }
        version.incrementAndGet();
    }

    public BitSet among(BitSet tasks) {
        BitSet bits = new BitSet();
        tasks.stream().filter(task -> overloaded[task]).forEach(bits::set);
        return bits;
    }

    /** Returns a number that changes after each call of {@link #set(int[], boolean)}. */
    public long version() {
        return version.get();
    }

    public void replace(BitSet tasks, BitSet now) {
        tasks.stream().forEach(task -> overloaded[task] = now.get(task));
    }

    public void setSlow(int[] taskIds, boolean now) {
        for (int task : taskIds) {
            slow[task] = now;
        }
    }

    /** Stores the loop of tasks, while no loop runs. */
    public void place(int[] taskIds, int loop) {
        for (int task : taskIds) {
            loops[task] = loop;
        }
        placement++;
    }
}
