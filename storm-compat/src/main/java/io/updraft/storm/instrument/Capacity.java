package io.updraft.storm.instrument;

import com.codahale.metrics.Gauge;
import java.util.function.LongSupplier;

/**
 * The share of its time that a bolt has spent in {@code execute} in the last ten minutes, or since it began, as Storm computes
 * it from samples. It forgets half a minute at a time. Safe from any thread.
 */
final class Capacity implements Gauge<Double> {
    private static final int STEPS = 20;
    private static final long STEP_MS = 30_000;

    private final LongSupplier clockMs;
    private final long startedMs;
    private final long[] busyMs = new long[STEPS];

    /** To which step of the clock each of these belongs. */
    private final long[] steps = new long[STEPS];

    Capacity(LongSupplier clockMs) {
        this.clockMs = clockMs;
        this.startedMs = clockMs.getAsLong();
    }

    /** Adds time in {@code execute}, milliseconds. */
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
