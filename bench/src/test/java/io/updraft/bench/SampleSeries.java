package io.updraft.bench;

import io.updraft.bench.spec.LatencyPercentiles;
import io.updraft.bench.spec.ProcessUsage;
import io.updraft.bench.spec.RunCounts;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Results as tests need them. */
public final class SampleSeries {

    private SampleSeries() {}

    public static Shape shape(int messageSize) {
        return new Shape("sol", 1, 1, 1, messageSize, true, 0);
    }

    public static RunResult result(double messagesPerSecond) {
        return result(messagesPerSecond, 500_000);
    }

    public static RunResult result(double messagesPerSecond, long p99) {
        long messages = (long) (messagesPerSecond * 10);
        RunCounts counts = new RunCounts(messages, messages, messages, messages / 2, messages, 0);
        LatencyPercentiles latency = new LatencyPercentiles(1000, p99 / 4, p99 / 2, p99, p99 * 2, p99 * 3);
        ProcessUsage usage = new ProcessUsage(20_000_000_000L, 120, 5000);
        return new RunResult(List.of(), 300, 10_000_000_000L, counts, counts, usage, latency, Map.of());
    }

    public static Series series(BenchSide side, Shape shape, double... messagesPerSecond) {
        List<RunResult> runs =
                Arrays.stream(messagesPerSecond).mapToObj(SampleSeries::result).toList();
        return new Series(side, "", shape, "defaults", runs);
    }
}
