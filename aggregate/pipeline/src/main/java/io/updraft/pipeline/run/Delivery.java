package io.updraft.pipeline.run;

import io.updraft.pipeline.sink.Sink;
import io.updraft.pipeline.sink.SinkException;
import io.updraft.pipeline.source.Commit;
import io.updraft.timeseries.aggregate.WindowResult;
import java.util.List;

/**
 * The delivery of results to one sink, up to its flush. After a failure, only results that the sink has lost are written again:
 * the result that it did not take, or all of them if they were not made durable.
 */
final class Delivery {

    private final Sink sink;
    private final List<Ready> results;
    private final List<Commit> commits;
    private int written;

    Delivery(Sink sink, List<Ready> results, List<Commit> commits) {
        this.sink = sink;
        this.results = results;
        this.commits = commits;
    }

    /**
     * Writes the remaining results and flushes. Called again after a passing failure, but not after it has returned.
     *
     * @return whether the sink has committed the positions where the source stores its own
     */
    boolean attempt(Stop.Wait wait) throws SinkException {
        while (written < results.size()) {
            Ready next = results.get(written);
            WindowResult watched = new WatchedResult(next.result(), wait);
            sink.write(watched, next.group() == null ? null : next.group().name());
            written++;
            wait.progress();
        }
        // If the flush fails, none of the results is durable.
        written = 0;
        return sink.flush(commits);
    }
}
