package io.updraft.pipeline.run;

import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.UnitPosition;
import io.updraft.pipeline.unit.EventDistributor;
import io.updraft.pipeline.unit.Unit;
import java.util.List;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** Reads the source and sends its events to the tasks. These track positions, so its tuples are not anchored. */
final class SourceSpout extends BaseRichSpout {

    private static final long serialVersionUID = 1;

    private static final long PUBLISH_MS = 100;

    private transient PipelineRunState state;
    private transient RecordSource source;
    private transient EventDistributor dealer;
    private transient long nextPublish;

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(true, new Fields("input"));
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
        state = PipelineEngineStarter.stateOf(context);
        List<Integer> tasks = context.getComponentTasks(PipelineTopology.workers(state.plan()));
        dealer = new EventDistributor(
                tasks.size(),
                state.plan().settings().keyed(),
                (input, task) -> collector.emitDirect(tasks.get(task), new Values(input)));
    }

    /** Opens the source once the positions of the sinks are known: another thread opens the sinks, which may take long. */
    private boolean isOpen() throws SourceException {
        if (source == null && state.failure() == null && state.storedPositions().isDone()) {
            source = state.plan()
                    .settings()
                    .source()
                    .open(state.storedPositions().join());
        }
        return source != null;
    }

    @Override
    public void nextTuple() {
        try {
            if (!isOpen()) {
                return;
            }
            commitToSource();
            if (state.stop().isRequested()) {
                // Records that cannot be read again must be written now.
                dealer.stop(!source.canBeReadAgain());
            } else if (!dealer.isEnded() && state.hasRoom()) {
                state.bytesInFlight().addAndGet(dealer.distribute(source));
            }
            publish();
        } catch (SourceException | RuntimeException | Error e) {
            state.fail(e);
            if (source != null) {
                source.close();
                source = null;
            }
        }
    }

    private void commitToSource() {
        PipelineRunState.Written chunk;
        while ((chunk = state.writtenChunks().poll()) != null) {
            if (dealer.isCurrent(chunk.unit())) {
                source.written(chunk.unit().name(), chunk.from());
            }
        }
        Map<Unit, UnitPosition> done;
        while ((done = state.commits().poll()) != null) {
            done.forEach((unit, commit) -> {
                if (dealer.isCurrent(unit)) {
                    source.commit(commit);
                    dealer.forgetIfOver(unit, commit.position());
                }
            });
        }
    }

    private void publish() {
        long now = state.clock().getAsLong();
        if (now >= nextPublish || dealer.isEnded()) {
            nextPublish = now + PUBLISH_MS;
            state.source().set(source.progress());
        }
    }

    @Override
    public void close() {
        if (source != null) {
            commitToSource();
            source.close();
        }
    }
}
