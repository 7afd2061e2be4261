package io.updraft.engine.run;

import io.updraft.engine.snapshot.LatencyHistogram;
import io.updraft.engine.snapshot.LatencySummary;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** All latencies of a component since the start. Not thread-safe. */
final class LatencyTotal {
    private static final List<Long> BOUNDS = LatencyHistogram.BOUNDS_NANOS;

    private final Histogram total = LatencyRecorder.newHistogram();
    private final long[] counts = new long[BOUNDS.size() + 1];
    private int buckets;
    private long nanos;
    private LatencySummary last = LatencySummary.EMPTY;

    /**
     * Adds the values that several executors recorded since the last call, and summarizes them.
     *
     * @param parts the recorders of the executors
     * @return the summary
     */
    public LatencySummary drain(List<LatencyRecorder> parts) {
        Histogram interval = LatencyRecorder.newHistogram();
        parts.forEach(part -> part.drainInto(interval));
        last = interval.getTotalCount() == 0 ? last.withoutInterval() : add(interval);
        return last;
    }

    private LatencySummary add(Histogram interval) {
        total.add(interval);
        int bucket = 0;
        for (HistogramIterationValue value : interval.recordedValues()) {
            long latency = interval.medianEquivalentValue(value.getValueIteratedTo());
            long lowest = interval.lowestEquivalentValue(latency);
            while (bucket < BOUNDS.size() && lowest > BOUNDS.get(bucket)) {
                bucket++;
            }
            counts[bucket] += value.getCountAtValueIteratedTo();
            nanos += value.getCountAtValueIteratedTo() * latency;
        }
        buckets = Math.max(buckets, bucket + 1);
        return new LatencySummary(
                interval.getValueAtPercentile(50),
                interval.getValueAtPercentile(99),
                interval.getMaxValue(),
                total.getValueAtPercentile(50),
                total.getValueAtPercentile(99),
                new LatencyHistogram(
                        nanos, Arrays.stream(counts, 0, buckets).boxed().toList()));
    }
}
