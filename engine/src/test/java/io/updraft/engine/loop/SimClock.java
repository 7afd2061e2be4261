package io.updraft.engine.loop;

import io.updraft.engine.api.EngineClock;

/** A clock that the simulation controls. Other agents may run whenever the clock is read. */
final class SimClock implements EngineClock {

    private long nanos = 1_000_000_000_000L;
    private Runnable whenRead = () -> {};

    void whenRead(Runnable action) {
        whenRead = action;
    }

    void advance(long by) {
        nanos += by;
    }

    /** The time, without anybody noticing. */
    long now() {
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
