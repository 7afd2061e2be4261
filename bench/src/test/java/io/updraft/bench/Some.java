package io.updraft.bench;

import io.updraft.bench.spec.Counts;
import io.updraft.bench.spec.Latency;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.Shape;
import io.updraft.bench.spec.Usage;
import java.util.Arrays;
import java.util.List;

/** Results as tests need them. */
final class Some {

    private Some() {}

    static Shape shape(int messageSize) {
        return new Shape("sol", 1, 1, 1, messageSize, true, 0);
    }

    static RunResult result(double messagesPerSecond) {
        return result(messagesPerSecond, 500_000);
    }

    static RunResult result(double messagesPerSecond, long p99) {
        long messages = (long) (messagesPerSecond * 10);
        Counts counts = new Counts(messages, messages, messages, messages / 2, messages, 0);
        Latency latency = new Latency(1000, p99 / 4, p99 / 2, p99, p99 * 2, p99 * 3);
        Usage usage = new Usage(20_000_000_000L, 120, 5000);
        return new RunResult(List.of(), 300, 10_000_000_000L, counts, counts, usage, latency);
    }

    static Series series(Side side, Shape shape, double... messagesPerSecond) {
        List<RunResult> runs =
                Arrays.stream(messagesPerSecond).mapToObj(Some::result).toList();
        return new Series(side, Variant.NONE, shape, "defaults", runs);
    }
}
