package io.updraft.storm.component;

import io.updraft.engine.api.ForwardingSpout;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.trident.planner.SubtopologyBolt;
import org.apache.storm.trident.topology.MasterBatchCoordinator;
import org.apache.storm.trident.topology.TridentBoltExecutor;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.WindowedTimeThrottler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the largest costs of Trident's bolts. Tuples that they emit are views of views of earlier tuples. So each access to a
 * value follows the chain: in the grouping, and in every map of the receiving bolt. Here the values are copied once into plain
 * lists. Some steps are replaced too ({@link Steps}). The spout that coordinates batches gets another throttler
 * ({@link TridentCoordinator}).
 */
final class TridentBolt implements IBolt {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(TridentBolt.class);

    private final transient IBolt bolt;

    private TridentBolt(IBolt bolt) {
        this.bolt = bolt;
    }

    /** Returns a wrapper of an instance that is a component of Trident, else the instance itself. */
    public static Object aroundIfTrident(Object instance) {
        if (instance instanceof MasterBatchCoordinator coordinator) {
            return new TridentCoordinator(coordinator);
        }
        if (!(instance instanceof TridentBoltExecutor trident)) {
            return instance;
        }
        try {
            if (Steps.get(trident, TridentBoltExecutor.class, "bolt") instanceof SubtopologyBolt part) {
                Steps.replaceIn(part);
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn("this version of Trident is unknown: its own, slower steps run", e);
        }
        return new TridentBolt(trident);
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        bolt.prepare(conf, context, new Plain(collector));
    }

    @Override
    public void execute(Tuple input) {
        bolt.execute(input);
    }

    @Override
    public void cleanup() {
        bolt.cleanup();
    }

    private static final class Plain extends OutputCollector {
        Plain(OutputCollector collector) {
            super(collector);
        }

        /** Copies by index, the only fast access to these lists. */
        private static List<Object> copyOf(List<Object> tuple) {
            Object[] copy = new Object[tuple.size()];
            for (int i = 0; i < copy.length; i++) {
                copy[i] = tuple.get(i);
            }
            return Arrays.asList(copy);
        }

        @Override
        public List<Integer> emit(String streamId, Collection<Tuple> anchors, List<Object> tuple) {
            return super.emit(streamId, anchors, copyOf(tuple));
        }

        @Override
        public void emitDirect(int taskId, String streamId, Collection<Tuple> anchors, List<Object> tuple) {
            super.emitDirect(taskId, streamId, anchors, copyOf(tuple));
        }
    }

    /** Keeps the coordinator of Trident's batches from beginning a transaction before its predecessor. */
    static final class TridentCoordinator extends ForwardingSpout {
        private static final long serialVersionUID = 1L;
        private final transient MasterBatchCoordinator coordinator;
        private transient SteadyThrottler throttler = new SteadyThrottler(new WindowedTimeThrottler(0, 1));

        TridentCoordinator(MasterBatchCoordinator coordinator) {
            super(coordinator);
            this.coordinator = coordinator;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
            super.open(conf, context, collector);
            replaceThrottler();
        }

        /** Replaces the throttler that the coordinator creates when it is opened. */
        void replaceThrottler() {
            try {
                throttler = new SteadyThrottler(
                        (WindowedTimeThrottler) Steps.get(coordinator, MasterBatchCoordinator.class, "throttler"));
                Steps.field(MasterBatchCoordinator.class, "throttler").set(coordinator, throttler);
            } catch (ReflectiveOperationException | RuntimeException e) {
                LOG.warn("this version of Trident is unknown: batches may begin out of order, as on Storm", e);
            }
        }

        @Override
        public void nextTuple() {
            throttler.begin();
            super.nextTuple();
        }

        @Override
        public void ack(Object messageId) {
            throttler.begin();
            super.ack(messageId);
        }

        @Override
        public void fail(Object messageId) {
            throttler.begin();
            super.fail(messageId);
        }

        /**
         * Gives the same answer throughout one call of a spout. Storm's coordinator asks once for each transaction that it could begin,
         * the lowest first. If the interval between two batches ended between two of these questions, the coordinator would begin a
         * transaction before its predecessor. Belongs to the thread of the spout.
         */
        private static final class SteadyThrottler extends WindowedTimeThrottler {
            private final WindowedTimeThrottler throttler;
            private boolean decided;
            private boolean throttled;

            SteadyThrottler(WindowedTimeThrottler throttler) {
                super(0, 1);
                this.throttler = throttler;
            }

            void begin() {
                decided = false;
            }

            @Override
            public boolean isThrottled() {
                if (!decided) {
                    decided = true;
                    throttled = throttler.isThrottled();
                }
                return throttled;
            }

            /** Allows one transaction in a call. Later calls begin the others, each at its time. */
            @Override
            public void markEvent() {
                throttler.markEvent();
                decided = true;
                throttled = true;
            }
        }
    }
}
