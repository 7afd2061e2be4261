package io.updraft.engine.loop;

import io.updraft.engine.grouping.Load;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Per task, whether much is queued for it, whether it is quick, and where it is. Written by the loop that owns the task when
 * it crosses a mark, or by the gateway if the task is another worker's, and while all loops stand still; read by groupers
 * anywhere, to whom an old answer does no harm.
 */
final class Overload implements Load {

    private final boolean[] overloaded;
    private final boolean[] slow;
    private final int[] loops;
    private int placement;
    private final AtomicLong version = new AtomicLong();

    Overload(int tasks) {
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

    void set(int[] taskIds, boolean now) {
        for (int task : taskIds) {
            overloaded[task] = now;
        }
        version.incrementAndGet();
    }

    /** Which of some tasks are overloaded. */
    BitSet among(BitSet tasks) {
        BitSet bits = new BitSet();
        tasks.stream().filter(task -> overloaded[task]).forEach(bits::set);
        return bits;
    }

    /** Changes after each change by {@link #set(int[], boolean)}. */
    long version() {
        return version.get();
    }

    /** Notes which tasks of another worker are overloaded. */
    void replace(BitSet tasks, BitSet now) {
        tasks.stream().forEach(task -> overloaded[task] = now.get(task));
    }

    void setSlow(int[] taskIds, boolean now) {
        for (int task : taskIds) {
            slow[task] = now;
        }
    }

    /** Notes where tasks are. While no loop runs. */
    void place(int[] taskIds, int loop) {
        for (int task : taskIds) {
            loops[task] = loop;
        }
        placement++;
    }
}
