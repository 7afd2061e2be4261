package io.updraft.pipeline.run;

import io.updraft.pipeline.source.Seen;
import io.updraft.timeseries.aggregate.PartialResult;
import java.util.List;
import java.util.Map;

/** What the task that writes is told by an aggregate task. */
sealed interface Output {

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
     *     before {@code forgottenUntil} only, or to none
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
     * A group was taken away: nothing of it that is not written will be, and no position of it may be committed.
     *
     * @param task which aggregate task
     * @param group which group
     */
    record Dropped(int task, Unit.Group group) implements Output {}

    /**
     * The task has given everything: all sources have come to their ends.
     *
     * @param task which aggregate task
     */
    record TaskEnded(int task) implements Output {}
}
