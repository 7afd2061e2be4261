package io.updraft.storm.trident;

import java.lang.reflect.Field;
import java.util.Collection;
import org.apache.storm.trident.operation.Aggregator;
import org.apache.storm.trident.operation.CombinerAggregator;
import org.apache.storm.trident.operation.Function;
import org.apache.storm.trident.operation.impl.ChainedAggregatorImpl;
import org.apache.storm.trident.operation.impl.CombinerAggregatorCombineImpl;
import org.apache.storm.trident.operation.impl.CombinerAggregatorInitImpl;
import org.apache.storm.trident.operation.impl.GroupedAggregator;
import org.apache.storm.trident.planner.ProcessorNode;
import org.apache.storm.trident.planner.SubtopologyBolt;
import org.apache.storm.trident.planner.TridentProcessor;
import org.apache.storm.trident.planner.processor.AggregateProcessor;
import org.apache.storm.trident.planner.processor.EachProcessor;
import org.apache.storm.trident.planner.processor.TridentContext;
import org.apache.storm.trident.tuple.TridentTuple;
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

    static Object get(Object from, Class<?> declaring, String name) throws ReflectiveOperationException {
        return field(declaring, name).get(from);
    }

    static Field field(Class<?> of, String name) throws NoSuchFieldException {
        Field field = of.getDeclaredField(name);
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
}
