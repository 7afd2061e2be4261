package io.updraft.pipeline.run;

import io.updraft.observe.pipeline.RejectedSample;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.RecordRow;
import java.util.List;

/** Receives the rows and records that are in no result. All tasks call it, each on its own thread, so it must be thread-safe. */
interface RejectionHandler {

    /** Accepts a record that cannot be decoded or has no valid time. The caller may reuse the bytes after the call. */
    void reject(String partition, long position, byte[] bytes, int from, int length, String reason);

    /** Accepts a row whose windows are all closed. The caller may reuse the row after the call. */
    void late(String partition, long position, RecordRow row, long time);

    /**
     * Accepts a group that is missing in the result of a window, since a measure does not fit into its column. The caller may
     * reuse the row after the call.
     *
     * @param partition the share whose records it consists of, or the pipeline if it consists of records of all partitions
     */
    default void overflow(String partition, TimeWindow window, WindowResult.Overflow group) {}

    /**
     * Makes everything accepted so far durable. Called before positions after it are committed. Throws a {@link SinkException}
     * when that failed: nothing is lost, and the next call tries again.
     */
    default void flush() throws SinkException {}

    /** Returns the newest of what was accepted, at most 20 of each kind, the newest first. */
    default List<RejectedSample> newest() {
        return List.of();
    }

    /** Returns roughly how many bytes wait in memory for a flush. Called before each read of the source. */
    default long waiting() {
        return 0;
    }
}
