package io.updraft.storm.instrument;

import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestSpout;
import io.updraft.storm.UpdraftCluster;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.thrift.TException;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;

/**
 * A spout that emits the contents of a queue, a bolt "middle" that runs an action of the test, and a bolt "end" that acks. The
 * components reach the test by static fields: one test at a time.
 */
@SuppressWarnings("serial")
final class QueueTopology {
    /** Messages to emit: values, the first of which is the id too. */
    static final Queue<List<Object>> MESSAGES = new ConcurrentLinkedQueue<>();

    static final Queue<Object> ACKED = new ConcurrentLinkedQueue<>();
    static final Queue<Object> FAILED = new ConcurrentLinkedQueue<>();

    /** What the bolt "end" was given. */
    static final Queue<List<Object>> SEEN = new ConcurrentLinkedQueue<>();

    private static volatile BiConsumer<TopologyContext, OutputCollector> onPrepare = (context, out) -> {};
    private static volatile BiConsumer<TopologyContext, SpoutOutputCollector> onOpen = (context, out) -> {};
    private static volatile BiConsumer<Tuple, OutputCollector> middle = (tuple, out) -> {};

    private static volatile Runnable onEnd = () -> {};

    private QueueTopology() {}

    /** Does something more each time that "end" executes a tuple. */
    static void onEnd(Runnable action) {
        onEnd = action;
    }

    static void reset(BiConsumer<Tuple, OutputCollector> ofMiddle) {
        MESSAGES.clear();
        ACKED.clear();
        FAILED.clear();
        SEEN.clear();
        onPrepare = (context, out) -> {};
        onOpen = (context, out) -> {};
        onEnd = () -> {};
        middle = ofMiddle;
    }

    /** Does something more when "middle" is prepared. */
    static void onPrepare(BiConsumer<TopologyContext, OutputCollector> action) {
        onPrepare = action;
    }

    /** Does something more when the spout is opened. */
    static void onOpen(BiConsumer<TopologyContext, SpoutOutputCollector> action) {
        onOpen = action;
    }

    /** Passes each tuple on and acks it. */
    static void passOn(Tuple tuple, OutputCollector out) {
        out.emit(tuple, tuple.getValues());
        out.ack(tuple);
    }

    /** Submits it as it is. */
    static void submit(UpdraftCluster cluster, String name, Map<String, Object> conf) throws TException {
        cluster.submitTopology(name, conf, topology().createTopology());
    }

    static TopologyBuilder topology() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("feed", new Feed());
        builder.setBolt("middle", new Middle()).shuffleGrouping("feed");
        builder.setBolt("end", new End()).shuffleGrouping("middle");
        return builder;
    }

    static final class Feed extends TestSpout {
        Feed() {
            super("id", "value");
        }

        @Override
        protected void opened() {
            onOpen.accept(context, out);
        }

        @Override
        public void nextTuple() {
            List<Object> message = MESSAGES.poll();
            if (message != null) {
                out.emit(message, message.get(0));
            }
        }

        @Override
        public void ack(Object messageId) {
            ACKED.add(messageId);
        }

        @Override
        public void fail(Object messageId) {
            FAILED.add(messageId);
        }
    }

    static final class Middle extends TestBolt {
        Middle() {
            super("id", "value");
        }

        @Override
        protected void prepared() {
            onPrepare.accept(context, out);
        }

        @Override
        public void execute(Tuple input) {
            middle.accept(input, out);
        }
    }

    static final class End extends TestBolt {
        @Override
        public void execute(Tuple input) {
            SEEN.add(input.getValues());
            onEnd.run();
            out.ack(input);
        }
    }
}
