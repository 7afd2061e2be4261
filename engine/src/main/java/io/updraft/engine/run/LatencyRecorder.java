package io.updraft.engine.run;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** A latency distribution, recorded by one thread and read by another. */
final class LatencyRecorder {

    private static final long HIGHEST = 3_600_000_000_000L;
    private static final int DIGITS = 2;

    private volatile SingleWriterRecorder recorder;

    /**
     * Records a value, at least a nanosecond: 0 stands for no value. Called only by the thread that runs the executor.
     *
     * @param nanos the latency
     */
    public void record(long nanos) {
        SingleWriterRecorder into = recorder;
        if (into == null) {
            into = new SingleWriterRecorder(HIGHEST, DIGITS);
            recorder = into;
        }
        into.recordValue(Math.max(1, Math.min(nanos, HIGHEST)));
    }

    /** Moves the values to a histogram. One reader at a time. */
    void drainInto(Histogram interval) {
        SingleWriterRecorder recorded = recorder;
        if (recorded != null) {
            interval.add(recorded.getIntervalHistogram());
        }
    }

    /** Releases the recorder, after the last summary of an executor that no longer runs. */
    public void release() {
        recorder = null;
    }

    static Histogram newHistogram() {
        return new Histogram(HIGHEST, DIGITS);
    }
}
