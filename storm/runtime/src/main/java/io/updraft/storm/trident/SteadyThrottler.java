package io.updraft.storm.trident;

import org.apache.storm.utils.WindowedTimeThrottler;

/**
 * Gives the same answer throughout one call of a spout. Storm's coordinator asks once for each transaction that it could begin,
 * the lowest first. If the interval between two batches ended between two of these questions, the coordinator would begin a
 * transaction before its predecessor. Belongs to the thread of the spout.
 */
final class SteadyThrottler extends WindowedTimeThrottler {
    private final WindowedTimeThrottler throttler;
    private boolean known;
    private boolean throttled;

    SteadyThrottler(WindowedTimeThrottler throttler) {
        super(0, 1);
        this.throttler = throttler;
    }

    /** Begins another call of the spout. */
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

    /** Allows one transaction in a call. Later calls begin the others, each at its time. */
    @Override
    public void markEvent() {
        throttler.markEvent();
        known = true;
        throttled = true;
    }
}
