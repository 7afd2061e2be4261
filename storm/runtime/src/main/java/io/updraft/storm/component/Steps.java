package io.updraft.storm.component;

import io.updraft.storm.component.CombineStep.GroupKey;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.trident.operation.Aggregator;
import org.apache.storm.trident.operation.CombinerAggregator;
import org.apache.storm.trident.operation.Function;
import org.apache.storm.trident.operation.TridentCollector;
import org.apache.storm.trident.operation.TridentOperationContext;
import org.apache.storm.trident.operation.impl.ChainedAggregatorImpl;
import org.apache.storm.trident.operation.impl.CombinerAggregatorCombineImpl;
import org.apache.storm.trident.operation.impl.CombinerAggregatorInitImpl;
import org.apache.storm.trident.operation.impl.GroupCollector;
import org.apache.storm.trident.operation.impl.GroupedAggregator;
import org.apache.storm.trident.planner.ProcessorNode;
import org.apache.storm.trident.planner.SubtopologyBolt;
import org.apache.storm.trident.planner.TridentProcessor;
import org.apache.storm.trident.planner.processor.AggregateProcessor;
import org.apache.storm.trident.planner.processor.EachProcessor;
import org.apache.storm.trident.planner.processor.TridentContext;
import org.apache.storm.trident.tuple.ComboList;
import org.apache.storm.trident.tuple.TridentTuple;
import org.apache.storm.trident.tuple.TridentTupleView;
import org.apache.storm.trident.tuple.TridentTupleView.ProjectionFactory;
import org.apache.storm.tuple.Fields;

/** Replaces the most expensive steps of Trident. */
final class Steps {

    private Steps() {}

    /** Replaces the steps that have a replacement, before the bolt is prepared. */
    static void replaceIn(SubtopologyBolt part) throws ReflectiveOperationException {
        for (Object node : (Collection<?>) get(part, SubtopologyBolt.class, "nodes")) {
            if (node instanceof ProcessorNode step) {
                step.processor = inPlaceOf(step.processor);
            }
        }
    }

    /** {@return the replacement of a step of Trident that is not prepared yet; the step itself if there is none} */
    static TridentProcessor inPlaceOf(TridentProcessor step) throws ReflectiveOperationException {
        if (step.getClass() == EachProcessor.class) {
            return each((EachProcessor) step);
        }
        if (step instanceof AggregateProcessor aggregating
                && get(aggregating, AggregateProcessor.class, "agg") instanceof GroupedAggregator grouped
                && grouped.getClass() == GroupedAggregator.class) {
            return aggregate(aggregating, grouped);
        }
        return step;
    }

    @SuppressWarnings("unchecked")
    private static TridentProcessor each(EachProcessor step) throws ReflectiveOperationException {
        Fields inputs = (Fields) get(step, EachProcessor.class, "inputFields");
        Function function = (Function) get(step, EachProcessor.class, "function");
        return function instanceof CombinerAggregatorInitImpl init
                ? new InitStep(inputs, (CombinerAggregator<Object>) get(init, CombinerAggregatorInitImpl.class, "agg"))
                : new EachStep(inputs, function);
    }

    private static TridentProcessor aggregate(AggregateProcessor step, GroupedAggregator grouped)
            throws ReflectiveOperationException {
        if (get(grouped, GroupedAggregator.class, "agg") instanceof ChainedAggregatorImpl chain) {
            Aggregator<?>[] all = (Aggregator<?>[]) get(chain, ChainedAggregatorImpl.class, "aggs");
            Fields[] inputs = (Fields[]) get(chain, ChainedAggregatorImpl.class, "inputFields");
            if (all.length == 1 && all[0] instanceof CombinerAggregatorCombineImpl combine && inputs[0].size() == 1) {
                return combine(combine, grouped, inputs[0].get(0));
            }
        }
        field(AggregateProcessor.class, "agg").set(step, GroupsByKey.of(grouped));
        return step;
    }

    @SuppressWarnings("unchecked")
    private static TridentProcessor combine(
            CombinerAggregatorCombineImpl combine, GroupedAggregator grouped, String valueField)
            throws ReflectiveOperationException {
        return new CombineStep(
                (CombinerAggregator<Object>) get(combine, CombinerAggregatorCombineImpl.class, "agg"),
                (Fields) get(grouped, GroupedAggregator.class, "groupFields"),
                valueField);
    }

    static Object get(Object step, Class<?> declaring, String name) throws ReflectiveOperationException {
        return field(declaring, name).get(step);
    }

    static Field field(Class<?> type, String name) throws NoSuchFieldException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    /** Returns the tuple factory of the previous step. Trident allows these steps only one predecessor. */
    static TridentTuple.Factory soleParent(TridentContext step) {
        if (step.getParentTupleFactories().size() != 1) {
            throw new IllegalStateException("a step of Trident must have one step before it, but has "
                    + step.getParentTupleFactories().size() + " steps");
        }
        return step.getParentTupleFactories().get(0);
    }

    /**
     * Replaces Trident's {@link GroupedAggregator}. The key of a group is a separate list that computes its hash once. Trident
     * looks up a view of the tuple, twice for each tuple.
     */
    @SuppressWarnings({"rawtypes", "unchecked"})
    private static final class GroupsByKey implements Aggregator<Object[]> {

        private static final long serialVersionUID = 1L;

        private final Aggregator aggregator;
        private final Fields groupFields;
        private final Fields inputFields;
        private final ComboList.Factory outputs;
        private transient ProjectionFactory groups;
        private transient ProjectionFactory inputs;

        private GroupsByKey(Aggregator aggregator, Fields groupFields, Fields inputFields, ComboList.Factory outputs) {
            this.aggregator = aggregator;
            this.groupFields = groupFields;
            this.inputFields = inputFields;
            this.outputs = outputs;
        }

        static GroupsByKey of(GroupedAggregator tridents) throws ReflectiveOperationException {
            return new GroupsByKey(
                    (Aggregator) get(tridents, "agg"),
                    (Fields) get(tridents, "groupFields"),
                    (Fields) get(tridents, "inFields"),
                    (ComboList.Factory) get(tridents, "fact"));
        }

        private static Object get(GroupedAggregator aggregator, String field) throws ReflectiveOperationException {
            return Steps.get(aggregator, GroupedAggregator.class, field);
        }

        @Override
        public void prepare(Map<String, Object> conf, TridentOperationContext context) {
            inputs = context.makeProjectionFactory(inputFields);
            groups = context.makeProjectionFactory(groupFields);
            aggregator.prepare(conf, new TridentOperationContext(context, inputs));
        }

        @Override
        public Object[] init(Object batchId, TridentCollector collector) {
            return new Object[] {new GroupCollector(collector, outputs), new HashMap<GroupKey, Object[]>(), batchId};
        }

        @Override
        public void aggregate(Object[] batch, TridentTuple tuple, TridentCollector collector) {
            GroupCollector out = (GroupCollector) batch[0];
            Map<GroupKey, Object[]> all = (Map<GroupKey, Object[]>) batch[1];
            GroupKey key = new GroupKey(groups.create((TridentTupleView) tuple));
            Object[] group = all.get(key);
            if (group == null) {
                group = new Object[] {aggregator.init(batch[2], out), key};
                all.put(key, group);
            }
            out.currGroup = (GroupKey) group[1];
            aggregator.aggregate(group[0], inputs.create((TridentTupleView) tuple), out);
        }

        @Override
        public void complete(Object[] batch, TridentCollector collector) {
            GroupCollector out = (GroupCollector) batch[0];
            ((Map<GroupKey, Object[]>) batch[1]).forEach((key, group) -> {
                out.currGroup = key;
                aggregator.complete(group[0], out);
            });
        }

        @Override
        public void cleanup() {
            aggregator.cleanup();
        }
    }
}
