package io.updraft.engine.trident;

import org.apache.storm.utils.WindowedTimeThrottler;

/**
 * Answers the same within one call of a spout as the first time in it. Storm's coordinator asks once for each transaction that it could
 * begin, the lowest first; if the interval between two batches ended between two of these questions, it would begin a transaction before
 * the one that it has to follow. Belongs to the thread of the spout.
 */
final class SteadyThrottler extends WindowedTimeThrottler {
    private final WindowedTimeThrottler throttler;
    private boolean known;
    private boolean throttled;

    SteadyThrottler(WindowedTimeThrottler throttler) {
        super(0, 1);
        this.throttler = throttler;
    }

    /** Another call of the spout begins. */
    void begin() {
        known = false;
    }

    @Override
    public boolean isThrottled() {
        if (!known) {
            known = true;
            throttled = throttler.isThrottled();
        }
        return throttled;
    }

    /** One transaction in a call is enough: the others are begun by later calls, each at its time. */
    @Override
    public void markEvent() {
        throttler.markEvent();
        known = true;
        throttled = true;
    }
}
