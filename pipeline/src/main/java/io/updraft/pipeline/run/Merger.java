package io.updraft.pipeline.run;

import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.aggregate.PartialResult;
import io.updraft.timeseries.aggregate.Window;
import io.updraft.timeseries.aggregate.WindowResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Puts together what several aggregate tasks give for the same window. A window's result is whole when every task has closed it;
 * a position is done when every task has said so and the windows that it said it by are whole.
 */
final class Merger {

    private static final Comparator<Window> BY_END =
            Comparator.comparingLong(Window::end).thenComparingLong(Window::start);

    /** The latest that each task has given for a window. */
    private static final class Parts {
        private final PartialResult[] byTask;
        private boolean changed;

        private Parts(int tasks) {
            byTask = new PartialResult[tasks];
        }
    }

    /** Positions that a task has said are done once windows up to a time are written for good. */
    private record Said(long forgottenUntil, Map<Unit, Long> done) {}

    private final int tasks;
    private final long[] closedUntil;
    private final long[] forgottenUntil;
    private final TreeMap<Window, Parts> windows = new TreeMap<>(BY_END);
    private final List<ArrayDeque<Said>> said = new ArrayList<>();
    private final List<Map<Unit, Long>> done = new ArrayList<>();
    private boolean early;

    Merger(int tasks) {
        this.tasks = tasks;
        closedUntil = new long[tasks];
        forgottenUntil = new long[tasks];
        for (int i = 0; i < tasks; i++) {
            closedUntil[i] = Long.MIN_VALUE;
            forgottenUntil[i] = Long.MIN_VALUE;
            said.add(new ArrayDeque<>());
            done.add(new LinkedHashMap<>());
        }
    }

    void add(Output.Closed closed) {
        int task = closed.task();
        closedUntil[task] = Math.max(closedUntil[task], closed.closedUntil());
        for (PartialResult result : closed.results()) {
            Parts parts = windows.computeIfAbsent(result.window(), window -> new Parts(tasks));
            parts.byTask[task] = result;
            parts.changed = true;
            early |= result.emission() == WindowResult.Emission.EARLY;
        }
        forgottenUntil[task] = Math.max(forgottenUntil[task], closed.forgottenUntil());
        said.get(task).add(new Said(closed.forgottenUntil(), closed.done()));
        long forgotten = forgottenUntil();
        for (int i = 0; i < tasks; i++) {
            apply(i, forgotten);
        }
    }

    /**
     * A position and the time up to which windows are written for good belong together: were a task's position taken with an earlier
     * time, a window would be opened again without the rows before the position.
     */
    private void apply(int task, long forgotten) {
        ArrayDeque<Said> queue = said.get(task);
        while (!queue.isEmpty() && queue.peekFirst().forgottenUntil() <= forgotten) {
            done.get(task).putAll(queue.removeFirst().done());
        }
    }

    /** The results that can be written now: whole windows that have changed, and early ones if a task has given one. */
    List<WindowResult> results() {
        long whole = least(closedUntil);
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

    /** Before all tasks have closed a window, only what they gave early may be written: it will be written again. */
    private static boolean isEarly(Parts parts) {
        for (PartialResult part : parts.byTask) {
            if (part != null && part.emission() == WindowResult.Emission.EARLY) {
                return true;
            }
        }
        return false;
    }

    private static WindowResult merge(Parts parts) {
        parts.changed = false;
        return Aggregators.merge(
                Arrays.stream(parts.byTask).filter(Objects::nonNull).toList());
    }

    /**
     * For each unit that all tasks have spoken of, the position before which everything is written once the results are; {@link
     * Output#OVER} if all tasks have done with it, which is said once.
     */
    Map<Unit, Long> done() {
        Map<Unit, Long> least = new LinkedHashMap<>(done.get(0));
        for (Map<Unit, Long> task : done.subList(1, tasks)) {
            least.keySet().retainAll(task.keySet());
            least.replaceAll((unit, position) -> Math.min(position, task.get(unit)));
        }
        least.forEach((unit, position) -> {
            if (position == Output.OVER) {
                done.forEach(task -> task.remove(unit));
            }
        });
        return least;
    }

    /** How many units any task has spoken of and not done with. */
    int units() {
        return done.stream().mapToInt(Map::size).sum();
    }

    /** Windows that end at or before this are written for good once the results are. What has come to its end holds back none. */
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

    private static long least(long[] values) {
        long least = Long.MAX_VALUE;
        for (long value : values) {
            least = Math.min(least, value);
        }
        return least;
    }
}
