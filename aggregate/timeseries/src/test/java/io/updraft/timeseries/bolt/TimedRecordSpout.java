package io.updraft.timeseries.bolt;

import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestSpout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.TupleUtils;

/** The components around the bolt under test, and their collected output. One test at a time. */
@SuppressWarnings("serial")
final class TimedRecordSpout {

    static volatile List<List<Object>> records = List.of();
    static final Set<Object> ACKED = ConcurrentHashMap.newKeySet();
    static final ConcurrentLinkedQueue<List<Object>> RESULTS = new ConcurrentLinkedQueue<>();
    static final ConcurrentLinkedQueue<List<Object>> TOO_LATE = new ConcurrentLinkedQueue<>();
    static final AtomicInteger CRASHES = new AtomicInteger();

    private TimedRecordSpout() {}

    static void reset(List<List<Object>> all) {
        records = all;
        ACKED.clear();
        RESULTS.clear();
        TOO_LATE.clear();
        CRASHES.set(0);
    }

    /** Emits each record, in their order, and those that failed again. */
    static final class Source extends TestSpout {
        private transient ArrayDeque<Integer> failed;
        private transient int next;

        Source() {
            super("time", "unused", "carrier", "delay", "distance");
        }

        @Override
        protected void opened() {
            failed = new ArrayDeque<>();
        }

        @Override
        public void nextTuple() {
            Integer id = failed.poll();
            if (id == null && next < records.size()) {
                id = next++;
            }
            if (id != null) {
                out.emit(new Values(records.get(id).toArray()), id);
            }
        }

        @Override
        public void ack(Object id) {
            ACKED.add(id);
        }

        @Override
        public void fail(Object id) {
            failed.add((Integer) id);
        }
    }

    /** Passes records on; fails one in some the first time that it sees it. */
    static final class Flaky extends TestBolt {
        private transient SplittableRandom random;

        Flaky() {
            super("time", "unused", "carrier", "delay", "distance");
        }

        @Override
        protected void prepared() {
            random = new SplittableRandom(context.getThisTaskId());
        }

        @Override
        public void execute(Tuple tuple) {
            if (random.nextInt(20) == 0) {
                out.fail(tuple);
            } else {
                out.emit(tuple, tuple.getValues());
                out.ack(tuple);
            }
        }
    }

    /** An aggregation whose task dies of its 500th and 3000th tuple. */
    static final class Mortal extends TestBolt {
        private static final Set<Integer> CRASH_AT = Set.of(500, 3000);
        private static final ConcurrentHashMap<Integer, AtomicInteger> SEEN = new ConcurrentHashMap<>();
        private final AggregateBolt bolt;
        private transient int task;

        Mortal(AggregateBolt bolt) {
            this.bolt = bolt;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
            task = context.getThisTaskId();
            bolt.prepare(conf, context, out);
        }

        @Override
        public void execute(Tuple tuple) {
            if (!TupleUtils.isTick(tuple)
                    && CRASH_AT.contains(
                            SEEN.computeIfAbsent(task, t -> new AtomicInteger()).incrementAndGet())) {
                CRASHES.incrementAndGet();
                throw new IllegalStateException("killed by the test");
            }
            bolt.execute(tuple);
        }

        @Override
        public void cleanup() {
            bolt.cleanup();
        }

        @Override
        public Map<String, Object> getComponentConfiguration() {
            return bolt.getComponentConfiguration();
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            bolt.declareOutputFields(declarer);
        }
    }

    /** Keeps what comes, each stream in its own place. */
    static final class Collect extends TestBolt {
        @Override
        public void execute(Tuple tuple) {
            (tuple.getSourceStreamId().equals(AggregateBolt.LATE) ? TOO_LATE : RESULTS).add(tuple.getValues());
            out.ack(tuple);
        }
    }

    /** The windows and groups that there are results of, each of which must have been emitted once. */
    static Set<List<Object>> keys() {
        Set<List<Object>> keys = new HashSet<>();
        for (List<Object> result : RESULTS) {
            if (!keys.add(new ArrayList<>(result.subList(0, 3)))) {
                throw new AssertionError("emitted twice: " + result);
            }
        }
        return keys;
    }
}
