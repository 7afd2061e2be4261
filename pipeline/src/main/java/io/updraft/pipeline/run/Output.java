package io.updraft.pipeline.run;

import io.updraft.pipeline.source.Seen;
import io.updraft.timeseries.aggregate.PartialResult;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the task that writes is told by an aggregate task. */
sealed interface Output {

    /** In place of a position: the unit has come to its end and is done, and the task will not speak of it again. */
    long OVER = Long.MAX_VALUE;

    /** Which aggregate task, from 0. */
    int task();

    /** How many bytes of memory its results take, roughly. */
    default long bytes() {
        return 0;
    }

    /**
     * Windows were closed, or work has got on.
     *
     * @param task which aggregate task
     * @param group whose units alone the results are made of; null if they are of all units
     * @param results of windows; no window twice
     * @param closedUntil the results of all windows that end at or before this have been given, milliseconds since 1970
     * @param forgottenUntil windows that end at or before this take no more rows
     * @param handled for each unit, what of it the task has handled since it last said so
     * @param done for each unit, a position: what the task was given of the unit before it was added to windows that end at or
     *     before {@code forgottenUntil} only, or to none; {@link #OVER} if the task has done with the unit
     */
    record Closed(
            int task,
            Unit.Group group,
            List<PartialResult> results,
            long closedUntil,
            long forgottenUntil,
            Map<Unit, Seen> handled,
            Map<Unit, Long> done)
            implements Output {
        @Override
        public long bytes() {
            return results.stream().mapToLong(PartialResult::bytes).sum();
        }
    }

    /**
     * Groups were taken away: nothing of them that is not written will be, and no position of them may be committed. If groups are not
     * aggregated on their own, these are all.
     *
     * @param task which aggregate task
     * @param groups which groups
     */
    record Dropped(int task, Set<Unit.Group> groups) implements Output {}

    /**
     * The task has given everything: all sources have come to their ends.
     *
     * @param task which aggregate task
     */
    record TaskEnded(int task) implements Output {}
}
