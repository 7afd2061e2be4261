package io.updraft.pipeline.run;

import java.util.HashMap;
import java.util.Map;

/**
 * Which aggregate tasks have dropped what was taken away, when all of them aggregate the same units: until each has, what comes of it
 * is of records that are counted by somebody else. One thread.
 */
final class Drops {

    private final int[] byTask;
    private final Map<Unit.Group, Integer> tasksOf = new HashMap<>();
    private int newest;

    Drops(int tasks) {
        byTask = new int[tasks];
    }

    /** The task that writes has found out itself: every task will say so. */
    void begin() {
        newest++;
    }

    /** A task has dropped everything; whether it is the first to say so. */
    boolean isFirst(int task) {
        boolean first = ++byTask[task] > newest;
        newest = Math.max(newest, byTask[task]);
        return first;
    }

    /** Whether a task has something to say of what has not been dropped. */
    boolean isUpToDate(int task) {
        return byTask[task] == newest;
    }

    /** A task has dropped a group; whether it was the last one to. */
    boolean isLast(Unit.Group group) {
        boolean last = tasksOf.merge(group, 1, Integer::sum) == byTask.length;
        if (last) {
            tasksOf.remove(group);
        }
        return last;
    }
}
