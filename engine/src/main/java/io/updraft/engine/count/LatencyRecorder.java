package io.updraft.engine.count;

import io.updraft.engine.metrics.LatencySummary;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** A latency distribution, recorded by one thread and read by another. */
public final class LatencyRecorder {

    private static final long HIGHEST = 3_600_000_000_000L;
    private static final int DIGITS = 2;

    private volatile SingleWriterRecorder recorder;

    /** Records a value, at least a nanosecond: 0 stands for no value. Called only by the thread that runs the executor. */
    public void record(long nanos) {
        SingleWriterRecorder into = recorder;
        if (into == null) {
            into = new SingleWriterRecorder(HIGHEST, DIGITS);
            recorder = into;
        }
        into.recordValue(Math.max(1, Math.min(nanos, HIGHEST)));
    }

    private void drainInto(Histogram interval) {
        SingleWriterRecorder from = recorder;
        if (from != null) {
            interval.add(from.getIntervalHistogram());
        }
    }

    /** Releases the recorder, after the last summary of an executor that no longer runs. */
    public void release() {
        recorder = null;
    }

    /** Summarizes the values that several executors recorded since the last summary. One reader at a time. */
    public static LatencySummary summarize(List<LatencyRecorder> parts, Histogram total) {
        Histogram interval = new Histogram(HIGHEST, DIGITS);
        parts.forEach(part -> part.drainInto(interval));
        total.add(interval);
        if (total.getTotalCount() == 0) {
            return LatencySummary.EMPTY;
        }
        boolean empty = interval.getTotalCount() == 0;
        return new LatencySummary(
                total.getTotalCount(),
                empty ? 0 : interval.getValueAtPercentile(50),
                empty ? 0 : interval.getValueAtPercentile(99),
                empty ? 0 : interval.getMaxValue(),
                total.getValueAtPercentile(50),
                total.getValueAtPercentile(99));
    }

    public static Histogram newTotal() {
        return new Histogram(HIGHEST, DIGITS);
    }
}
