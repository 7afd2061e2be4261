package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;
import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;

/**
 * A spout with the message ids 0, 1, 2... that counts its emitted, acked and failed messages, and measures the complete latency
 * of every 1024th message; the other 1023 cost only a mask and a branch. All methods run on the task's thread.
 *
 * <p>With a rate, the spout emits on a fixed schedule, independent of the completion of earlier messages (open loop). Message k
 * is due at start + k × interval, and its latency counts from that time. When a runtime stalls, every message due during the
 * stall counts as late, which avoids coordinated omission (Gil Tene, "How NOT to Measure Latency").
 */
public final class CountingSpout extends BaseRichSpout {

    private static final long serialVersionUID = 1L;
    private static final long SAMPLED = 1023;

    private final String runId;
    private final boolean acked;
    private final double nanosBetween;
    private final String[] fields;
    private final Messages source;
    private final Map<Long, Long> emittedAt = new HashMap<>();
    private transient LongFunction<? extends List<Object>> messages;
    private transient SpoutOutputCollector collector;
    private transient BenchRunState run;
    private transient BenchTaskCounters probe;
    private transient long start;
    private transient long next;

    /** Prepares messages in the process that emits them. */
    public interface Messages extends Serializable {

        /** {@return a function from a message's number to the values of its tuple} */
        LongFunction<? extends List<Object>> prepare();
    }

    /** Creates a spout whose tuples have the given fields. */
    public CountingSpout(String runId, Shape shape, Messages source, String... fields) {
        this.runId = runId;
        this.acked = shape.acked();
        this.nanosBetween = shape.openLoop() ? 1e9 * shape.spouts() / shape.rate() : 0;
        this.source = source;
        this.fields = fields;
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
        this.collector = collector;
        run = BenchRunState.of(runId);
        probe = run.probe(context);
        probe.prepareLatency();
        messages = source.prepare();
    }

    @Override
    public void nextTuple() {
        if (run.isQuiet()) {
            return;
        }
        if (nanosBetween > 0) {
            emitIfDue();
        } else {
            if (acked && (next & SAMPLED) == 0) {
                emittedAt.put(next, System.nanoTime());
            }
            emit();
        }
    }

    private void emitIfDue() {
        long now = System.nanoTime();
        if (next == 0 && start == 0) {
            start = now;
        }
        if (now - due(next) >= 0) {
            emit();
        }
    }

    private long due(long number) {
        return start + (long) (number * nanosBetween);
    }

    private void emit() {
        List<Object> values = messages.apply(next);
        if (acked) {
            collector.emit(values, next);
        } else {
            collector.emit(values);
        }
        next++;
        probe.emitted();
    }

    private void completed(long number) {
        if (nanosBetween > 0) {
            probe.recordLatency(due(number));
        } else if ((number & SAMPLED) == 0) {
            Long emitted = emittedAt.remove(number);
            if (emitted != null) {
                probe.recordLatency(emitted);
            }
        }
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
        declarer.declare(new Fields(fields));
    }
}
