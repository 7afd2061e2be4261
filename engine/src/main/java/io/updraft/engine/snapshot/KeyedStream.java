package io.updraft.engine.snapshot;

import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How the tuples of one fields grouping were distributed lately, estimated from samples. The figures show the last few seconds
 * of a fast stream, and about a thousand tuples of a slow one.
 *
 * @param from the emitting component
 * @param stream the stream
 * @param to the subscribing component
 * @param fields the names of the grouping's fields, such as {@code user, day}
 * @param tuplesPerHour the estimated rate of tuples for each task of the subscribing component
 * @param keys the keys with at least 5% of the tuples of an emitting task, the heaviest first
 * @param overloadedTasks the tasks of the subscribing component whose queues are long now, as far as the worker knows
 */
public record KeyedStream(
        String from,
        String stream,
        String to,
        String fields,
        long[] tuplesPerHour,
        List<KeyRate> keys,
        List<Integer> overloadedTasks) {

    private static final int LEAST_PERMILLE = 100;

    /**
     * {@return the keys that skew the distribution, the heaviest first} A key does if at least 10% of the tuples have it, and the task that
     * gets these tuples gets at least one and a half times as many tuples as the average task.
     */
    public List<HotKey> skewedKeys() {
        long all = Math.max(1, Arrays.stream(tuplesPerHour).sum());
        return keys.stream()
                .filter(key -> 1000.0 * key.tuplesPerHour() / all >= LEAST_PERMILLE)
                .filter(key -> 2.0 * tuplesPerHour[key.position()] * tuplesPerHour.length >= 3.0 * all)
                .map(key -> hot(key, all))
                .toList();
    }

    private HotKey hot(KeyRate key, long all) {
        return new HotKey(
                from,
                stream,
                to,
                fields,
                key.key(),
                Math.round(1000.0 * key.tuplesPerHour() / all),
                key.task(),
                key.position(),
                tuplesPerHour.length,
                Math.round(1000.0 * tuplesPerHour[key.position()] / all));
    }

    /**
     * Adds up the parts of each grouping, which come from different emitting tasks or processes.
     *
     * @param parts the parts, in any order
     * @return one for each grouping, ordered by names
     */
    public static List<KeyedStream> merge(Stream<KeyedStream> parts) {
        Map<List<String>, KeyedStream> merged = new LinkedHashMap<>();
        parts.forEach(part -> merged.merge(part.names(), part, KeyedStream::plus));
        return merged.values().stream()
                .sorted(Comparator.comparing(each -> String.join("\n", each.names())))
                .collect(Collectors.toUnmodifiableList());
    }

    private List<String> names() {
        return List.of(from, stream, to);
    }

    private KeyedStream plus(KeyedStream other) {
        long[] sum = IntStream.range(0, tuplesPerHour.length)
                .mapToLong(i -> tuplesPerHour[i] + other.tuplesPerHour[i])
                .toArray();
        Map<String, KeyRate> all = new LinkedHashMap<>();
        Stream.concat(keys.stream(), other.keys.stream())
                .forEach(key -> all.merge(key.task() + " " + key.key(), key, KeyedStream::plus));
        return new KeyedStream(
                from,
                stream,
                to,
                fields,
                sum,
                all.values().stream()
                        .sorted(Comparator.comparing(KeyRate::tuplesPerHour).reversed())
                        .collect(Collectors.toUnmodifiableList()),
                Stream.concat(overloadedTasks.stream(), other.overloadedTasks.stream())
                        .distinct()
                        .sorted()
                        .collect(Collectors.toUnmodifiableList()));
    }

    private static KeyRate plus(KeyRate a, KeyRate b) {
        return new KeyRate(a.key(), a.task(), a.position(), a.tuplesPerHour() + b.tuplesPerHour());
    }
}
