package io.updraft.bench.report;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * One shape's series on Updraft and, if measured, on Storm.
 *
 * @param updraft Updraft's series
 * @param storm Storm's series, or null
 */
public record SeriesPair(Series updraft, Series storm) {

    public static SeriesPair of(List<Series> one) {
        return new SeriesPair(one.get(0), one.size() > 1 ? one.get(1) : null);
    }

    boolean compared() {
        return storm != null;
    }

    boolean valid() {
        return all().allMatch(Series::valid);
    }

    public Stream<Series> all() {
        return storm == null ? Stream.of(updraft) : Stream.of(updraft, storm);
    }

    /** {@return Updraft's messages per second divided by Storm's; NaN without Storm} */
    double ratio() {
        return storm == null ? Double.NaN : updraft.messagesPerSecond().ratioTo(storm.messagesPerSecond());
    }

    /** {@return a value of Storm's series; NaN without Storm} */
    double ofStorm(ToDoubleFunction<Series> value) {
        return storm == null ? Double.NaN : value.applyAsDouble(storm);
    }
}
