package io.updraft.pipeline.run;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.RecordRow;
import java.util.List;
import java.util.function.Consumer;

/**
 * The delivery of results to one sink, up to its flush. After a failure, only results that the sink has lost are written again:
 * the result that it did not take, or all of them if they were not made durable.
 */
final class SinkDelivery {

    private final ResultSink sink;
    private final List<ShareResult> results;
    private final List<PartitionPosition> commits;
    private int written;

    SinkDelivery(ResultSink sink, List<ShareResult> results, List<PartitionPosition> commits) {
        this.sink = sink;
        this.results = results;
        this.commits = commits;
    }

    /**
     * Writes the remaining results and flushes. Called again after a passing failure, but not after it has returned.
     *
     * @return whether the sink has committed the positions where the source stores its own
     */
    boolean attempt(StopRequest.WatchedWait wait) throws SinkException {
        while (written < results.size()) {
            ShareResult next = results.get(written);
            WindowResult watched = new ProgressReportingResult(next.result(), wait);
            sink.write(watched, next.share() == null ? null : next.share().name());
            written++;
            wait.progress();
        }
        // If the flush fails, none of the results is durable.
        written = 0;
        return sink.flush(commits);
    }

    /** A result that reports progress whenever a sink has taken some of its rows. */
    private record ProgressReportingResult(WindowResult result, StopRequest.WatchedWait watch)
            implements ForwardedResult {

        /** Rows between two reports: even a slow sink takes this many in much less time than the limit. */
        private static final int ROWS = 256;

        @Override
        public void forEach(Consumer<RecordRow> rows) {
            result.forEach(new Consumer<>() {
                private int taken;

                @Override
                public void accept(RecordRow row) {
                    rows.accept(row);
                    if (++taken % ROWS == 0) {
                        watch.progress();
                    }
                }
            });
        }
    }

    /**
     * A result that can be written.
     *
     * @param share the share whose partitions alone are in the result; null if it is of all partitions
     */
    record ShareResult(Partition.Share share, WindowResult result) {}
}
