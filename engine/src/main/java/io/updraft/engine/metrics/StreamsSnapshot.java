package io.updraft.engine.metrics;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * What one component has done, by stream. A stream of the system is always among them, whether anything was done or not.
 *
 * @param outputs the streams that it emits on, in the order of the plan
 * @param inputs the streams that a bolt takes in, by component and name; the last is that of ticks
 */
public record StreamsSnapshot(List<OutputSnapshot> outputs, List<InputSnapshot> inputs) {

    /** Of a component of which nothing is known. */
    public static final StreamsSnapshot NONE = new StreamsSnapshot(List.of(), List.of());

    /**
     * Adds stream by stream.
     *
     * @param other what the same component has done elsewhere
     * @return both
     */
    public StreamsSnapshot plus(StreamsSnapshot other) {
        return new StreamsSnapshot(
                merge(outputs, other.outputs, OutputSnapshot::stream, OutputSnapshot::plus),
                merge(inputs, other.inputs, StreamsSnapshot::keyOf, InputSnapshot::plus));
    }

    /**
     * Subtracts stream by stream.
     *
     * @param before what had been done at an earlier time
     * @return what was done since
     */
    public StreamsSnapshot since(StreamsSnapshot before) {
        return new StreamsSnapshot(
                difference(outputs, before.outputs, OutputSnapshot::stream, OutputSnapshot::since),
                difference(inputs, before.inputs, StreamsSnapshot::keyOf, InputSnapshot::since));
    }

    private static List<String> keyOf(InputSnapshot input) {
        return List.of(input.component(), input.stream());
    }

    private static <K, S> List<S> merge(
            Collection<S> some, Collection<S> more, Function<S, K> key, BinaryOperator<S> plus) {
        Map<K, S> all = new LinkedHashMap<>();
        some.forEach(each -> all.put(key.apply(each), each));
        more.forEach(each -> all.merge(key.apply(each), each, plus));
        return List.copyOf(all.values());
    }

    private static <K, S> List<S> difference(
            Collection<S> now, Collection<S> before, Function<S, K> key, BinaryOperator<S> since) {
        Map<K, S> old = new LinkedHashMap<>();
        before.forEach(each -> old.put(key.apply(each), each));
        return now.stream()
                .map(each -> old.containsKey(key.apply(each)) ? since.apply(each, old.get(key.apply(each))) : each)
                .toList();
    }
}
