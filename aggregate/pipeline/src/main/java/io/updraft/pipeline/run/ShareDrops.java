package io.updraft.pipeline.run;

import java.util.HashMap;
import java.util.Map;

/**
 * Tracks which aggregate tasks have dropped revoked shares, when all tasks aggregate the same partitions. Until a task has dropped
 * them, its results contain records that the new owner counts. Not thread-safe.
 */
final class ShareDrops {

    private final int[] byTask;
    private final Map<Partition.Share, Integer> tasksOf = new HashMap<>();
    private int newest;

    ShareDrops(int tasks) {
        byTask = new int[tasks];
    }

    /** Begins a drop that the write task has detected itself: every aggregate task will report it. */
    void begin() {
        newest++;
    }

    /** Records that a task has dropped everything; returns whether it is the first to report that. */
    boolean isFirst(int task) {
        boolean first = ++byTask[task] > newest;
        newest = Math.max(newest, byTask[task]);
        return first;
    }

    /** Returns whether the results of a task contain no dropped records. */
    boolean isUpToDate(int task) {
        return byTask[task] == newest;
    }

    /** Records that a task has dropped a share; returns whether it is the last task to do so. */
    boolean isLast(Partition.Share share) {
        boolean last = tasksOf.merge(share, 1, Integer::sum) == byTask.length;
        if (last) {
            tasksOf.remove(share);
        }
        return last;
    }
}
