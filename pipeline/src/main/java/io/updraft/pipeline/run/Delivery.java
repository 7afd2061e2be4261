package io.updraft.pipeline.run;

import io.updraft.pipeline.sink.Sink;
import io.updraft.pipeline.sink.SinkException;
import io.updraft.pipeline.source.Commit;
import io.updraft.timeseries.aggregate.WindowResult;
import java.util.List;

/**
 * Results on their way into one sink, up to its flush. When it fails, only what the sink has lost is written again: a result that
 * it has not taken, or all of them if they did not last.
 */
final class Delivery {

    private final Sink sink;
    private final List<Ready> results;
    private final List<Commit> commits;
    private int written;
    private boolean sourceKnows;

    Delivery(Sink sink, List<Ready> results, List<Commit> commits) {
        this.sink = sink;
        this.results = results;
        this.commits = commits;
    }

    /** Writes what is not written, and flushes. To be called again after a failure that may pass, and not after it has returned. */
    void attempt(Stop.Wait wait) throws SinkException {
        while (written < results.size()) {
            Ready next = results.get(written);
            WindowResult watched = new WatchedResult(next.result(), wait);
            sink.write(watched, next.group() == null ? null : next.group().name());
            written++;
            wait.progress();
        }
        // If this fails, none of it lasts.
        written = 0;
        sourceKnows = sink.flush(commits);
    }

    /** Whether the sink has put the positions where the source keeps its own. */
    boolean doesSourceKnow() {
        return sourceKnows;
    }
}
