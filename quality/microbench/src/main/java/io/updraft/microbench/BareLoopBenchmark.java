package io.updraft.microbench;

import io.updraft.engine.tuple.EdgeIds;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The limit of {@code updraft bench}'s first shapes: a user's spout and bolts, called by the shortest possible program. It has
 * no plan, no groupings, no queue except an array, no timers, no error handling, no counters and no way to stop. It has only
 * the user's objects, their tuples, and the tracking of complete trees. No runtime with Storm's API can be faster on one core.
 *
 * <pre>
 *   nextTuple ─► slots[] ─► execute: emit, ack ─► slots[] ─► execute: ack ─► ack of the spout
 * </pre>
 *
 * <p>One operation is one message, from nextTuple to the spout's ack. The benchmark checks that all messages were acked.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "-XX:+UseParallelGC")
public class BareLoopBenchmark {

    static final int MESSAGES = 512;

    private static final List<Integer> TARGET = Collections.singletonList(1);

    /** Whether messages are tracked. */
    @Param({"true", "false"})
    public boolean acked;

    private final Origin origin = Origin.of("spout", "default", 1, new Fields("message"), null);
    private final EdgeIds edges = new EdgeIds(1);
    private final Object[] ids = new Object[MESSAGES];
    private EngineTuple[] out = new EngineTuple[MESSAGES];
    private EngineTuple[] in = new EngineTuple[MESSAGES];
    private int count;
    private long opened;
    private int complete;
    private int turn = 1;
    private MessageSpout spout;

    /** Creates the state of one thread. */
    public BareLoopBenchmark() {}

    private final class Emitter extends SpoutOutputCollector {
        private Emitter() {
            super(null);
        }

        @Override
        public List<Integer> emit(String stream, List<Object> values, Object messageId) {
            if (messageId == null) {
                out[count++] = EngineTuple.untracked(origin, values);
            } else {
                ids[(int) opened & MESSAGES - 1] = messageId;
                out[count++] = EngineTuple.first(origin, values, 0, opened++);
            }
            return TARGET;
        }

        @Override
        public List<Integer> emit(List<Object> values, Object messageId) {
            return emit("default", values, messageId);
        }

        @Override
        public List<Integer> emit(List<Object> values) {
            return emit("default", values, null);
        }
    }

    private final class Collector extends OutputCollector {
        private Collector() {
            super(null);
        }

        @Override
        public List<Integer> emit(String stream, Tuple anchor, List<Object> values) {
            EngineTuple parent = (EngineTuple) anchor;
            out[count++] = parent.owner() >= 0
                    ? parent.child(origin, values, edges.next(), turn)
                    : EngineTuple.untracked(origin, values);
            return TARGET;
        }

        @Override
        public void ack(Tuple input) {
            EngineTuple tuple = (EngineTuple) input;
            if (tuple.owner() >= 0) {
                if (tuple.isOnlyEdge()) {
                    complete++;
                } else if (!tuple.passOn(turn)) {
                    throw new IllegalStateException("an ack that is neither the last nor passed on");
                }
                tuple.settle();
            }
        }
    }

    private static final class MessageSpout extends BaseRichSpout {
        private static final long serialVersionUID = 1L;
        private final byte[] message = new byte[10];
        private final boolean acked;
        private transient SpoutOutputCollector out;
        private long next;
        private long acks;

        private MessageSpout(boolean acked) {
            this.acked = acked;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
            out = collector;
        }

        @Override
        public void nextTuple() {
            if (acked) {
                out.emit(new Values(message), next++);
            } else {
                out.emit(new Values(message));
            }
        }

        @Override
        public void ack(Object messageId) {
            acks++;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    private abstract static class MessageBolt extends BaseRichBolt {
        private static final long serialVersionUID = 1L;
        transient OutputCollector out;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            out = collector;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    private static final class Forward extends MessageBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple input) {
            out.emit(input, new Values(input.getValue(0)));
            out.ack(input);
        }
    }

    private static final class Sink extends MessageBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple input) {
            out.ack(input);
        }
    }

    private final IBolt forward = prepared(new Forward());
    private final IBolt sink = prepared(new Sink());

    private IBolt prepared(IBolt bolt) {
        bolt.prepare(Map.of(), null, new Collector());
        return bolt;
    }

    /** {@return messages that went from the spout to a bolt} */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long spoutToBolt() {
        ask();
        execute(sink);
        return tell();
    }

    /** {@return messages that went from the spout to a bolt and on to another} */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long spoutToBoltToBolt() {
        ask();
        execute(forward);
        execute(sink);
        return tell();
    }

    private void ask() {
        if (spout == null) {
            spout = new MessageSpout(acked);
            spout.open(Map.of(), null, new Emitter());
        }
        turn = turn % 1_000_000 + 1;
        complete = 0;
        for (int i = 0; i < MESSAGES; i++) {
            spout.nextTuple();
        }
    }

    private void execute(IBolt bolt) {
        EngineTuple[] tuples = out;
        int length = count;
        out = in;
        count = 0;
        in = tuples;
        for (int i = 0; i < length; i++) {
            bolt.execute(tuples[i]);
        }
    }

    private long tell() {
        if (complete != (acked ? MESSAGES : 0)) {
            throw new IllegalStateException(complete + " of " + MESSAGES + " messages are complete");
        }
        for (int i = 0; i < complete; i++) {
            Object id = ids[i];
            ids[i] = null;
            spout.ack(id);
        }
        return spout.acks;
    }
}
