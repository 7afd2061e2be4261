package io.updraft.engine.testing;

import io.updraft.engine.api.EngineClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The system clock, which a test can advance instead of waiting for a timeout. */
public final class TestClock implements EngineClock {

    private final AtomicLong ahead = new AtomicLong();

    /** Puts the clock forward. */
    public void advance(Duration by) {
        ahead.addAndGet(by.toNanos());
    }

    @Override
    public long nanoTime() {
        return System.nanoTime() + ahead.get();
    }

    @Override
    public long currentTimeMillis() {
        return System.currentTimeMillis() + ahead.get() / 1_000_000;
    }
}
