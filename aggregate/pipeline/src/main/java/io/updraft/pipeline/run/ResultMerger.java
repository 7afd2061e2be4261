package io.updraft.pipeline.run;

import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * Merges the results of several aggregate tasks for the same window. The result of a window is complete when every task has
 * closed it. A position is done when every task has reported it and the windows it depends on are complete.
 */
final class ResultMerger {

    /** Instead of a position, where a task has not reported the partition. */
    private static final long UNREPORTED = Long.MIN_VALUE;

    /** The latest result of each task for a window. */
    private static final class Parts {
        private final PartialResult[] byTask;
        private boolean changed;

        private Parts(int tasks) {
            byTask = new PartialResult[tasks];
        }
    }

    /** Positions of a task that are done once the windows up to a time are final. */
    private record ReportedPositions(long forgottenUntil, Map<Partition, Long> done) {}

    private final int tasks;
    private final long[] closedUntil;
    private final long[] forgottenUntil;
    private final TreeMap<TimeWindow, Parts> windows = new TreeMap<>(TimeWindow.BY_END);
    private final List<ArrayDeque<ReportedPositions>> reported = new ArrayList<>();
    private final List<Map<Partition, Long>> done = new ArrayList<>();
    /** The partitions whose positions a task has reported since they were taken. */
    private final Set<Partition> changed = new LinkedHashSet<>();

    /** The partitions with a position that can be committed, until all tasks have finished them. */
    private final Set<Partition> positioned = new HashSet<>();

    private boolean early;

    ResultMerger(int tasks) {
        this.tasks = tasks;
        closedUntil = new long[tasks];
        forgottenUntil = new long[tasks];
        Arrays.fill(closedUntil, Long.MIN_VALUE);
        Arrays.fill(forgottenUntil, Long.MIN_VALUE);
        for (int i = 0; i < tasks; i++) {
            reported.add(new ArrayDeque<>());
            done.add(new LinkedHashMap<>());
        }
    }

    void add(AggregateOutput.Closed closed) {
        int task = closed.task();
        closedUntil[task] = Math.max(closedUntil[task], closed.closedUntil());
        for (PartialResult result : closed.results()) {
            Parts parts = windows.computeIfAbsent(result.window(), window -> new Parts(tasks));
            parts.byTask[task] = result;
            parts.changed = true;
            early |= result.emission() == WindowResult.Emission.EARLY;
        }
        forgottenUntil[task] = Math.max(forgottenUntil[task], closed.forgottenUntil());
        reported.get(task).add(new ReportedPositions(closed.forgottenUntil(), closed.done()));
        long forgotten = forgottenUntil();
        // The positions whose windows are final. A position and this time belong together: with a later position and an
        // earlier time, a window would be opened again without the rows before the position.
        for (int i = 0; i < tasks; i++) {
            ArrayDeque<ReportedPositions> queue = reported.get(i);
            while (!queue.isEmpty() && queue.peekFirst().forgottenUntil() <= forgotten) {
                Map<Partition, Long> released = queue.removeFirst().done();
                done.get(i).putAll(released);
                released.keySet().forEach(this::released);
            }
        }
    }

    private void released(Partition partition) {
        changed.add(partition);
        long least = least(partition);
        if (least != UNREPORTED && partition.toCommit(least) >= 0) {
            positioned.add(partition);
        }
    }

    /** Adds parts of windows that were written by an earlier run, and have not changed. */
    void add(AggregateOutput.Restored restored) {
        for (PartialResult part : restored.parts()) {
            windows.computeIfAbsent(part.window(), window -> new Parts(tasks)).byTask[restored.task()] = part;
        }
    }

    /** Returns the time up to which all tasks have emitted the results of ended windows. */
    long closedUntil() {
        return Arrays.stream(closedUntil).min().orElseThrow();
    }

    /** Returns the results to write now: complete windows that have changed, and early results if a task has emitted one. */
    List<WindowResult> results() {
        long whole = closedUntil();
        long forgotten = forgottenUntil();
        List<WindowResult> results = new ArrayList<>();
        var each = windows.entrySet().iterator();
        while (each.hasNext()) {
            var entry = each.next();
            Parts parts = entry.getValue();
            boolean isWhole = entry.getKey().end() <= whole;
            if (!isWhole && !early) {
                break;
            }
            if (parts.changed && (isWhole || isEarly(parts))) {
                results.add(merge(parts));
            }
            if (isWhole && entry.getKey().end() <= forgotten) {
                each.remove();
            }
        }
        early = false;
        return results;
    }

    /**
     * Returns whether a task has emitted an early result. Before all tasks have closed a window, only such results may be
     * written: the window will be written again.
     */
    private static boolean isEarly(Parts parts) {
        return Arrays.stream(parts.byTask)
                .anyMatch(part -> part != null && part.emission() == WindowResult.Emission.EARLY);
    }

    private static WindowResult merge(Parts parts) {
        parts.changed = false;
        return Aggregators.merge(
                Arrays.stream(parts.byTask).filter(Objects::nonNull).toList());
    }

    /** Returns whether a position can be committed: the source can store it, and all tasks have reported it. */
    boolean hasPosition() {
        return !positioned.isEmpty();
    }

    /**
     * Returns, for each partition that a task has reported since the last call and that all tasks have reported, the position before
     * which all records are written once the results are. With {@link AggregateOutput#OVER} if all tasks have finished the partition.
     */
    Map<Partition, Long> takeDone() {
        Map<Partition, Long> taken = new LinkedHashMap<>();
        for (Partition partition : changed) {
            long least = least(partition);
            if (least != UNREPORTED) {
                taken.put(partition, least);
            }
            if (least >= AggregateOutput.OVER) {
                done.forEach(task -> task.remove(partition));
                positioned.remove(partition);
            }
        }
        changed.clear();
        return taken;
    }

    private long least(Partition partition) {
        long least = Long.MAX_VALUE;
        for (Map<Partition, Long> task : done) {
            Long position = task.get(partition);
            if (position == null) {
                return UNREPORTED;
            }
            least = Math.min(least, position);
        }
        return least;
    }

    /** Returns how many partitions tasks have reported and not finished, summed over the tasks. */
    int partitions() {
        return done.stream().mapToInt(Map::size).sum();
    }

    /** Returns up to when windows are final once the results are written. An ended task holds back none. */
    long forgottenUntil() {
        long least = Long.MAX_VALUE;
        long latest = Long.MIN_VALUE;
        for (int i = 0; i < tasks; i++) {
            latest = Math.max(latest, forgottenUntil[i]);
            if (closedUntil[i] != Long.MAX_VALUE) {
                least = Math.min(least, forgottenUntil[i]);
            }
        }
        return least == Long.MAX_VALUE ? latest : least;
    }
}
