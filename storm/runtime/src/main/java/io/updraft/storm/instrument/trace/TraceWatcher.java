package io.updraft.storm.instrument.trace;

import io.updraft.storm.instrument.watch.Watcher;
import java.util.List;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/** Reports to traces how a bolt processes tuples. */
final class TraceWatcher implements Watcher {
    private final String place;
    private final List<MessageTrace> traces;

    TraceWatcher(TopologyContext context, List<MessageTrace> traces) {
        this.place = "bolt '" + context.getThisComponentId() + "' (task " + context.getThisTaskId() + ")";
        this.traces = traces;
    }

    @Override
    public void executing(Tuple input) {
        for (MessageTrace trace : traces) {
            trace.executing(input, place);
        }
    }

    @Override
    public void executed(Tuple input, long latencyMs) {
        for (MessageTrace trace : traces) {
            trace.executed(input);
        }
    }

    @Override
    public void acked(Tuple input, long latencyMs) {
        for (MessageTrace trace : traces) {
            trace.settled(input, "acked");
        }
    }

    @Override
    public void failed(Tuple input, long latencyMs) {
        for (MessageTrace trace : traces) {
            trace.settled(input, "failed");
        }
    }
}
