package io.updraft.engine.plan;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.trident.operation.impl.GroupedAggregator;
import org.apache.storm.trident.planner.ProcessorNode;
import org.apache.storm.trident.planner.SubtopologyBolt;
import org.apache.storm.trident.planner.processor.AggregateProcessor;
import org.apache.storm.trident.topology.TridentBoltExecutor;
import org.apache.storm.tuple.Tuple;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes two costs from Trident's bolts that were half of all their work. What they emit are views of views of the tuples before; here
 * they are copied into plain lists once, where each look at a value would go through the chain, in the grouping and in every map of
 * the bolt that receives them. And groups are looked up by keys that know their hash ({@link GroupsByKey}).
 */
final class TridentBolt implements IBolt {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(TridentBolt.class);

    private final transient IBolt bolt;

    private TridentBolt(IBolt bolt) {
        this.bolt = bolt;
    }

    /** Puts this around an instance if it is Trident's. */
    static Object aroundIfTrident(Object instance) {
        if (!(instance instanceof TridentBoltExecutor trident)) {
            return instance;
        }
        try {
            if (field(TridentBoltExecutor.class, "bolt").get(trident) instanceof SubtopologyBolt part) {
                speedUp(part);
            }
        } catch (ReflectiveOperationException | RuntimeException e) {
            LOG.warn("this Trident is not the one that is known: its groups are looked up as it does", e);
        }
        return new TridentBolt(trident);
    }

    private static void speedUp(SubtopologyBolt part) throws ReflectiveOperationException {
        Field aggregator = field(AggregateProcessor.class, "agg");
        for (Object node : (Collection<?>) field(SubtopologyBolt.class, "nodes").get(part)) {
            if (node instanceof ProcessorNode processing
                    && processing.processor instanceof AggregateProcessor aggregating
                    && aggregator.get(aggregating).getClass() == GroupedAggregator.class) {
                aggregator.set(aggregating, GroupsByKey.of((GroupedAggregator) aggregator.get(aggregating)));
            }
        }
    }

    static Field field(Class<?> of, String name) throws NoSuchFieldException {
        Field field = of.getDeclaredField(name);
        field.setAccessible(true);
        return field;
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

        @Override
        public List<Integer> emit(String streamId, Collection<Tuple> anchors, List<Object> tuple) {
            return collector.emit(streamId, anchors, new ArrayList<>(tuple));
        }

        @Override
        public void emitDirect(int taskId, String streamId, Collection<Tuple> anchors, List<Object> tuple) {
            collector.emitDirect(taskId, streamId, anchors, new ArrayList<>(tuple));
        }
    }
}
