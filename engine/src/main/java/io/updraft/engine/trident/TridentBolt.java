package io.updraft.engine.trident;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.trident.planner.SubtopologyBolt;
import org.apache.storm.trident.topology.MasterBatchCoordinator;
import org.apache.storm.trident.topology.TridentBoltExecutor;
import org.apache.storm.tuple.Tuple;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes costs from Trident's bolts that were most of all their work. What they emit are views of views of the tuples before; here
 * they are copied into plain lists once, where each look at a value would go through the chain, in the grouping and in every map of
 * the bolt that receives them. And some of their steps are replaced ({@link Steps}). The spout that coordinates batches gets another
 * throttler ({@link TridentCoordinator}).
 */
public final class TridentBolt implements IBolt {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(TridentBolt.class);

    private final transient IBolt bolt;

    private TridentBolt(IBolt bolt) {
        this.bolt = bolt;
    }

    /**
     * Puts this around an instance if it is Trident's.
     *
     * @param instance a component that has just been made, not yet prepared
     * @return what to run in its place
     */
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
            LOG.warn("this Trident is not the one that is known: it runs as it is, slower", e);
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

    /** Copies what is emitted. */
    private static final class Plain extends OutputCollector {
        private final OutputCollector collector;

        Plain(OutputCollector collector) {
            super(collector);
            this.collector = collector;
        }

        /** By index: these lists have no other quick way. */
        private static List<Object> copyOf(List<Object> tuple) {
            Object[] copy = new Object[tuple.size()];
            for (int i = 0; i < copy.length; i++) {
                copy[i] = tuple.get(i);
            }
            return Arrays.asList(copy);
        }

        @Override
        public List<Integer> emit(String streamId, Collection<Tuple> anchors, List<Object> tuple) {
            return collector.emit(streamId, anchors, copyOf(tuple));
        }

        @Override
        public void emitDirect(int taskId, String streamId, Collection<Tuple> anchors, List<Object> tuple) {
            collector.emitDirect(taskId, streamId, anchors, copyOf(tuple));
        }
    }
}
