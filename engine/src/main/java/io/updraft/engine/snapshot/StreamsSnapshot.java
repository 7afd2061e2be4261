package io.updraft.engine.snapshot;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * The counters of one component by stream. System streams are always included, even with all counters zero.
 *
 * @param outputs the output streams, in the order of the plan
 * @param inputs the input streams of a bolt, ordered by component and name; the tick stream is the last
 */
public record StreamsSnapshot(List<OutputSnapshot> outputs, List<InputSnapshot> inputs) {

    /** No streams. */
    public static final StreamsSnapshot NONE = new StreamsSnapshot(List.of(), List.of());

    /**
     * {@return the sum}
     *
     * @param other counters of the same component from another executor or process
     */
    public StreamsSnapshot plus(StreamsSnapshot other) {
        return new StreamsSnapshot(
                merge(outputs, other.outputs, OutputSnapshot::stream, OutputSnapshot::plus),
                merge(inputs, other.inputs, StreamsSnapshot::keyOf, InputSnapshot::plus));
    }

    /**
     * {@return the difference}
     *
     * @param before the counters at an earlier time
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
