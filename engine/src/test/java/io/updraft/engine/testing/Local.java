package io.updraft.engine.testing;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.grouping.CustomStreamGrouping;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.IRichSpout;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Tuple;

/**
 * Components with access to objects of the test. Only a number is serialized. Each copy creates its instance with a supplier of
 * the test, which may refer to any object of the test.
 */
@SuppressWarnings("serial")
public final class Local {

    private static final AtomicLong NEXT = new AtomicLong();
    private static final Map<Long, Supplier<?>> SUPPLIERS = new ConcurrentHashMap<>();

    private Local() {}

    /** Wraps a spout. */
    public static IRichSpout spout(Supplier<? extends IRichSpout> instances) {
        return new Spout(new Made<IRichSpout>(instances));
    }

    /** Wraps a bolt. */
    public static IRichBolt bolt(Supplier<? extends IRichBolt> instances) {
        return new Bolt(new Made<IRichBolt>(instances));
    }

    /** Wraps a grouping. */
    public static CustomStreamGrouping grouping(Supplier<? extends CustomStreamGrouping> instances) {
        return new Grouping(new Made<CustomStreamGrouping>(instances));
    }

    private static final class Made<T> implements Serializable {
        private final long id = NEXT.incrementAndGet();
        private transient T instance;

        private Made(Supplier<? extends T> supplier) {
            SUPPLIERS.put(id, supplier);
        }

        @SuppressWarnings("unchecked")
        private T get() {
            if (instance == null) {
                instance = (T) SUPPLIERS.get(id).get();
            }
            return instance;
        }
    }

    private record Spout(Made<IRichSpout> made) implements IRichSpout {
        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
            made.get().open(conf, context, collector);
        }

        @Override
        public void close() {
            made.get().close();
        }

        @Override
        public void activate() {
            made.get().activate();
        }

        @Override
        public void deactivate() {
            made.get().deactivate();
        }

        @Override
        public void nextTuple() {
            made.get().nextTuple();
        }

        @Override
        public void ack(Object messageId) {
            made.get().ack(messageId);
        }

        @Override
        public void fail(Object messageId) {
            made.get().fail(messageId);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            made.get().declareOutputFields(declarer);
        }

        @Override
        public Map<String, Object> getComponentConfiguration() {
            return made.get().getComponentConfiguration();
        }
    }

    private record Bolt(Made<IRichBolt> made) implements IRichBolt {
        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            made.get().prepare(conf, context, collector);
        }

        @Override
        public void execute(Tuple input) {
            made.get().execute(input);
        }

        @Override
        public void cleanup() {
            made.get().cleanup();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            made.get().declareOutputFields(declarer);
        }

        @Override
        public Map<String, Object> getComponentConfiguration() {
            return made.get().getComponentConfiguration();
        }
    }

    private record Grouping(Made<CustomStreamGrouping> made) implements CustomStreamGrouping {
        @Override
        public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targetTasks) {
            made.get().prepare(context, stream, targetTasks);
        }

        @Override
        public List<Integer> chooseTasks(int taskId, List<Object> values) {
            return made.get().chooseTasks(taskId, values);
        }
    }
}
