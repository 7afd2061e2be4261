package io.updraft.engine.testing;

import io.updraft.engine.api.EngineClock;

/** A clock that the simulation controls. Other agents may run whenever the clock is read. */
public final class SimClock implements EngineClock {

    private long nanos = 1_000_000_000_000L;
    private Runnable whenRead = () -> {};

    public void whenRead(Runnable action) {
        whenRead = action;
    }

    public void advance(long by) {
        nanos += by;
    }

    /** The time, without anybody noticing. */
    public long now() {
        return nanos;
    }

    @Override
    public long nanoTime() {
        whenRead.run();
        return nanos;
    }

    @Override
    public long currentTimeMillis() {
        return nanos / 1_000_000;
    }
}
