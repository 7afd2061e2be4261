package io.updraft.engine.loop;

import io.updraft.engine.grouping.Load;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Per task, whether much is queued for it. Written by the loop that owns the task when it crosses a mark, or by the gateway if
 * the task is another worker's; read by groupers anywhere, to whom an old answer does no harm.
 */
final class Overload implements Load {

    private final boolean[] overloaded;
    private final AtomicLong version = new AtomicLong();

    Overload(int tasks) {
        overloaded = new boolean[tasks];
    }

    @Override
    public boolean isOverloaded(int taskId) {
        return overloaded[taskId];
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
}
