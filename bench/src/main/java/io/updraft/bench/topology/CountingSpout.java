package io.updraft.bench.topology;

import io.updraft.bench.topology.state.BenchRunState;
import io.updraft.bench.topology.state.BenchTaskCounters;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/**
 * A spout with the message ids 0, 1, 2... that counts its emitted, acked and failed messages. All methods run on the task's
 * thread.
 */
abstract class CountingSpout extends BaseRichSpout {

    /** The name of the field with the message. */
    static final String MESSAGE = "message";

    private static final long serialVersionUID = 1L;

    private final String runId;
    private final boolean acked;
    private transient SpoutOutputCollector collector;
    private transient BenchRunState run;
    private transient BenchTaskCounters probe;
    private transient LatencySampler sampler;
    private transient long next;

    CountingSpout(String runId, boolean acked) {
        this.runId = runId;
        this.acked = acked;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
        this.collector = collector;
        run = BenchRunState.of(runId);
        probe = run.probe(context);
        probe.prepareLatency();
        sampler = new LatencySampler(probe);
        opened();
    }

    @Override
    public final void nextTuple() {
        if (!run.isQuiet()) {
            next(next);
        }
    }

    /** Called by {@code nextTuple}; may {@link #emit} one message. */
    void next(long sequence) {
        if (acked) {
            sampler.emitting(sequence);
        }
        emit(message(sequence));
    }

    /** {@return the message with that number} */
    abstract Object message(long sequence);

    /** {@return the values of a message's tuple, as declared} */
    Values values(Object message) {
        return new Values(message);
    }

    /** Called once, before the first message. */
    void opened() {}

    /** Called when the message was acked or failed. */
    void completed(long sequence) {
        sampler.completed(sequence);
    }

    final BenchTaskCounters probe() {
        return probe;
    }

    final void emit(Object message) {
        if (acked) {
            collector.emit(values(message), next);
        } else {
            collector.emit(values(message));
        }
        next++;
        probe.emitted();
    }

    @Override
    public void ack(Object id) {
        completed((Long) id);
        probe.acked();
    }

    @Override
    public void fail(Object id) {
        completed((Long) id);
        probe.failed();
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields(MESSAGE));
    }
}
