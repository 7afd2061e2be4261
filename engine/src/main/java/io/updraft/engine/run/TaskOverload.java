package io.updraft.engine.run;

import io.updraft.engine.grouping.Load;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * For each task, whether it is overloaded, whether its calls are quick, and its loop. Written by the loop that owns the task
 * when its queue crosses a mark, by the gateway for tasks of other workers, and while all loops stand still. Read by groupers
 * on any thread; an answer that is out of date does no harm.
 */
final class TaskOverload implements Load {

    /**
     * A slow task with more tuples under way counts as overloaded. Otherwise a sender gives the last task that is not overloaded
     * everything until that task has woken and measured its queue.
     */
    private static final int MOST_UNSEEN = 32;

    /** After so many refusals a task counts as free again: tuples that never arrive, as those of a failed emit, are never seen. */
    private static final int MOST_REFUSALS = 10_000;

    private final boolean[] overloaded;

    /** For slow tasks, the tuples sent. Written by senders, which may overwrite each other's counts: the sum may be too small. */
    private final int[] sent;

    /**
     * The number of sent tuples when the task last measured its queue. Senders write it only to end their refusals, so that it
     * does not get lost: then a task without work would count as overloaded for ever.
     */
    private final int[] seen;

    private final int[] refusals;

    private final boolean[] slow;
    private final int[] loops;
    private int placement;
    private final AtomicLong version = new AtomicLong();

    public TaskOverload(int tasks) {
        overloaded = new boolean[tasks];
        slow = new boolean[tasks];
        sent = new int[tasks];
        seen = new int[tasks];
        refusals = new int[tasks];
        loops = new int[tasks];
    }

    @Override
    public boolean isOverloaded(int taskId) {
        return overloaded[taskId] || sent[taskId] - seen[taskId] > MOST_UNSEEN && refuse(taskId);
    }

    private boolean refuse(int taskId) {
        if (++refusals[taskId] > MOST_REFUSALS) {
            refusals[taskId] = 0;
            seen[taskId] = sent[taskId];
        }
        return true;
    }

    @Override
    public void sent(int taskId) {
        if (slow[taskId]) {
            sent[taskId]++;
        }
    }

    /** Notes that tasks have seen how many tuples are queued for them. */
    public void seen(int[] taskIds) {
        for (int task : taskIds) {
            if (seen[task] != sent[task]) {
                seen[task] = sent[task];
            }
        }
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

    /** Returns whether the queue of a task is long. From any thread; may be out of date. */
    public boolean hasLongQueue(int task) {
        return overloaded[task];
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
