package io.updraft.engine.loop;

import io.updraft.engine.grouping.Load;

/**
 * Per task, whether much is queued for it. Written by the loop that owns the task when it crosses a mark; read by
 * groupers anywhere, to whom an old answer does no harm.
 */
final class Overload implements Load {

    private final boolean[] overloaded;

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
    }
}
