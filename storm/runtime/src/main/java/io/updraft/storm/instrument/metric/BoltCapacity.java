package io.updraft.storm.instrument.metric;

import com.codahale.metrics.Gauge;
import java.util.function.LongSupplier;

/**
 * The share of the last ten minutes, or of the time since the start, that a bolt has spent in {@code execute}. Storm computes
 * it from samples, too. The window moves in steps of half a minute. Safe to use from any thread.
 */
final class BoltCapacity implements Gauge<Double> {
    private static final int STEPS = 20;
    private static final long STEP_MS = 30_000;

    private final LongSupplier clockMs;
    private final long startedMs;
    private final long[] busyMs = new long[STEPS];

    /** The step of the clock to which each element of {@code busyMs} belongs. */
    private final long[] steps = new long[STEPS];

    BoltCapacity(LongSupplier clockMs) {
        this.clockMs = clockMs;
        this.startedMs = clockMs.getAsLong();
    }

    /** Adds time spent in {@code execute}, in milliseconds. */
    synchronized void add(long ms) {
        long step = clockMs.getAsLong() / STEP_MS;
        int place = (int) (step % STEPS);
        if (steps[place] != step) {
            steps[place] = step;
            busyMs[place] = 0;
        }
        busyMs[place] += ms;
    }

    @Override
    public synchronized Double getValue() {
        long now = clockMs.getAsLong();
        long oldest = now / STEP_MS - STEPS + 1;
        long busy = 0;
        for (int i = 0; i < STEPS; i++) {
            busy += steps[i] >= oldest ? busyMs[i] : 0;
        }
        long window = Math.min(now - startedMs, STEPS * STEP_MS);
        return window <= 0 ? 0.0 : (double) busy / window;
    }
}
