package io.updraft.pipeline.run;

import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.timeseries.query.PartialResult;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An output of an aggregate task, for the write task. */
sealed interface AggregateOutput {

    /**
     * Added to the position at which a partition has ended: the partition is done, and the task will not report it again, unless it is
     * opened again.
     */
    long OVER = 1L << 62;

    /** Returns the index of the aggregate task, from 0. */
    int task();

    /** Returns roughly how many bytes of memory its results take. */
    default long bytes() {
        return 0;
    }

    /**
     * Reports closed windows, or the progress of positions.
     *
     * @param share the share whose partitions alone are in the results; null if the results are of all partitions
     * @param results the results of windows; no window twice
     * @param closedUntil the time up to which this run has emitted the results of all ended windows, in milliseconds since
     *     1970; {@link Long#MIN_VALUE} before it closes any
     * @param forgottenUntil windows that end at or before this time accept no more rows
     * @param handled for each partition, the stretches that the task has handled since its last report
     * @param done for each partition, a position: records of the partition before it are only in windows that end at or before {@code
     *     forgottenUntil}, or in none; with {@link #OVER} if the task has finished the partition
     * @param used the records that the task has handled since its last report
     */
    record Closed(
            int task,
            Partition.Share share,
            List<PartialResult> results,
            long closedUntil,
            long forgottenUntil,
            Map<Partition, ProcessedRanges> handled,
            Map<Partition, Long> done,
            UnusableRecords.Counts used)
            implements AggregateOutput {
        @Override
        public long bytes() {
            return results.stream().mapToLong(PartialResult::bytes).sum();
        }
    }

    /**
     * Reports parts of windows that have not changed since an earlier run wrote them. They are written only with parts of other
     * tasks that have changed.
     */
    record Restored(int task, List<PartialResult> parts) implements AggregateOutput {
        @Override
        public long bytes() {
            return parts.stream().mapToLong(PartialResult::bytes).sum();
        }
    }

    /**
     * Reports revoked shares: their unwritten results will not be written, and no position of them may be committed. If shares
     * are not aggregated on their own, these are all shares.
     */
    record Dropped(int task, Set<Partition.Share> shares) implements AggregateOutput {}

    /** Reports that the task has emitted everything: all sources have ended. */
    record TaskEnded(int task) implements AggregateOutput {}
}
