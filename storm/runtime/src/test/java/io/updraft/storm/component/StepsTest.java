package io.updraft.storm.component;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.storm.trident.operation.Aggregator;
import org.apache.storm.trident.operation.BaseFunction;
import org.apache.storm.trident.operation.CombinerAggregator;
import org.apache.storm.trident.operation.TridentCollector;
import org.apache.storm.trident.operation.impl.ChainedAggregatorImpl;
import org.apache.storm.trident.operation.impl.CombinerAggregatorCombineImpl;
import org.apache.storm.trident.operation.impl.CombinerAggregatorInitImpl;
import org.apache.storm.trident.operation.impl.GroupedAggregator;
import org.apache.storm.trident.planner.ProcessorContext;
import org.apache.storm.trident.planner.TridentProcessor;
import org.apache.storm.trident.planner.TupleReceiver;
import org.apache.storm.trident.planner.processor.AggregateProcessor;
import org.apache.storm.trident.planner.processor.EachProcessor;
import org.apache.storm.trident.planner.processor.TridentContext;
import org.apache.storm.trident.tuple.ComboList;
import org.apache.storm.trident.tuple.TridentTuple;
import org.apache.storm.trident.tuple.TridentTupleView.FreshOutputFactory;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Test;

/** Compares the replaced steps with Trident's own: the same tuples go through both. */
@SuppressWarnings("serial")
class StepsTest {

    private static final Fields INPUT = new Fields("who", "text", "n");
    private static final FreshOutputFactory SOURCE = new FreshOutputFactory(INPUT);

    /** Emits each word with its length. */
    private static final class Words extends BaseFunction {
        @Override
        public void execute(TridentTuple tuple, TridentCollector collector) {
            for (String word : tuple.getStringByField("text").split(" ")) {
                collector.emit(new Values(word, (long) word.length()));
            }
        }
    }

    /** Adds up the first field, or counts where there is none; from nothing, so that what is made of a tuple is seen. */
    private record Sum() implements CombinerAggregator<Object> {
        @Override
        public Object init(TridentTuple tuple) {
            return tuple.isEmpty() ? (Object) 1L : tuple.getLong(0);
        }

        @Override
        public Object combine(Object one, Object other) {
            return (Long) one + (Long) other;
        }

        @Override
        public Object zero() {
            return null;
        }
    }

    private record Sink(List<List<Object>> seen) implements TupleReceiver {
        @Override
        public void execute(ProcessorContext batch, String streamId, TridentTuple tuple) {
            List<Object> row = new ArrayList<>(List.of(batch.batchId, streamId));
            row.addAll(tuple);
            seen.add(row);
        }

        @Override
        public void flush() {}
    }

    /** Each word, then what is to be combined, then the groups; steps of Trident's, or of ours in their place. */
    private static List<TridentProcessor> steps(Fields group, Fields inputs, boolean ours) throws Exception {
        CombinerAggregator<Object> sum = new Sum();
        Fields out = new Fields("sum");
        ChainedAggregatorImpl chain = new ChainedAggregatorImpl(
                new Aggregator<?>[] {new CombinerAggregatorCombineImpl(sum)},
                new Fields[] {out},
                new ComboList.Factory(1));
        List<String> combined = new ArrayList<>(group.toList());
        combined.add("sum");
        List<TridentProcessor> steps = new ArrayList<>(List.of(
                new EachProcessor(new Fields("text"), new Words()),
                new EachProcessor(inputs, new CombinerAggregatorInitImpl(sum)),
                new AggregateProcessor(new Fields(combined), new GroupedAggregator(chain, group, out, 1))));
        if (ours) {
            for (int i = 0; i < steps.size(); i++) {
                steps.set(i, Steps.inPlaceOf(steps.get(i)));
            }
        }
        return steps;
    }

    private static List<List<Object>> run(Fields group, Fields inputs, boolean ours, long seed) throws Exception {
        List<TridentProcessor> steps = steps(group, inputs, ours);
        List<String> output = new ArrayList<>(group.toList());
        output.add("sum");
        List<Fields> made = List.of(new Fields("word", "length"), new Fields("sum"), new Fields(output));
        Sink sink = new Sink(new ArrayList<>());
        TridentTuple.Factory parent = SOURCE;
        for (int i = 0; i < steps.size(); i++) {
            TupleReceiver next = i + 1 < steps.size() ? steps.get(i + 1) : sink;
            steps.get(i)
                    .prepare(
                            Map.of(),
                            null,
                            new TridentContext(
                                    made.get(i),
                                    List.of(parent),
                                    List.of("s" + i),
                                    List.of(next),
                                    "s" + (i + 1),
                                    i,
                                    null));
            parent = steps.get(i).getOutputFactory();
        }
        feed(steps, new SplittableRandom(seed));
        sink.seen().sort((one, other) -> one.toString().compareTo(other.toString()));
        return sink.seen();
    }

    /** Two batches whose tuples come mixed, one after the other finished, then a third. */
    private static void feed(List<TridentProcessor> steps, SplittableRandom random) {
        List<ProcessorContext> batches = new ArrayList<>();
        for (String id : List.of("one", "two", "three")) {
            batches.add(new ProcessorContext(id, new Object[steps.size()]));
        }
        batches.subList(0, 2).forEach(batch -> steps.forEach(step -> step.startBatch(batch)));
        for (int i = 0; i < 300; i++) {
            steps.get(0).execute(batches.get(random.nextInt(2)), "s0", tuple(random));
        }
        batches.subList(0, 2).forEach(batch -> steps.forEach(step -> step.finishBatch(batch)));
        steps.forEach(step -> step.startBatch(batches.get(2)));
        steps.get(0).execute(batches.get(2), "s0", tuple(random));
        steps.forEach(step -> step.finishBatch(batches.get(2)));
    }

    private static TridentTuple tuple(SplittableRandom random) {
        String text = "w" + random.nextInt(40) + " " + "v".repeat(random.nextInt(1, 5)) + " w" + random.nextInt(40);
        Object who = random.nextInt(4) == 0 ? null : "p" + random.nextInt(3);
        return SOURCE.create(Arrays.asList(who, text, (long) random.nextInt(100)));
    }

    private static void assertSame(Fields group, Fields inputs) throws Exception {
        List<List<Object>> tridents = run(group, inputs, false, 7);
        List<List<Object>> ours = run(group, inputs, true, 7);

        assertThat(tridents).hasSizeGreaterThan(4);
        assertThat(ours).isEqualTo(tridents);
    }

    @Test
    void shouldCountByAFieldOfTheFunction() throws Exception {
        assertSame(new Fields("word"), new Fields());
    }

    @Test
    void shouldAddUpAFieldOfTheFunction() throws Exception {
        assertSame(new Fields("word"), new Fields("length"));
    }

    @Test
    void shouldAddUpAFieldOfTheTuple() throws Exception {
        assertSame(new Fields("word"), new Fields("n"));
    }

    @Test
    void shouldGroupByAFieldOfTheTupleThatMayBeNull() throws Exception {
        assertSame(new Fields("who"), new Fields("length"));
    }

    @Test
    void shouldGroupBySeveralFields() throws Exception {
        assertSame(new Fields("word", "who"), new Fields("n"));
    }

    @Test
    void shouldPutStepsOfOursInPlaceOfTridents() throws Exception {
        assertThat(steps(new Fields("word"), new Fields(), true))
                .extracting(Object::getClass)
                .extracting(Class::getSimpleName)
                .containsExactly("EachStep", "InitStep", "CombineStep");
    }
}
