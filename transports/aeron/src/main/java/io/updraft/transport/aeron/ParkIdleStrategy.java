package io.updraft.transport.aeron;

import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;

/**
 * Naps after every round, whether there was work or not. In shared memory messages do not pass the driver. While they flow, the
 * driver only tells senders how far receivers have read. An update once in a while suffices, because a sender may be half a
 * term ahead. A strategy that continues while there is work would burn a core.
 *
 * <p>Naps get longer, up to four times, when there is nothing to do.
 */
final class ParkIdleStrategy implements IdleStrategy {

    private static final int LONGEST = 4;

    private final long nanos;
    private long nap;

    /**
     * Creates a strategy.
     *
     * @param nanos the shortest nap, nanoseconds
     */
    ParkIdleStrategy(long nanos) {
        this.nanos = nanos;
        this.nap = nanos;
    }

    @Override
    public void idle(int workCount) {
        nap = workCount > 0 ? nanos : Math.min(nap * 2, nanos * LONGEST);
        LockSupport.parkNanos(nap);
    }

    @Override
    public void idle() {
        idle(0);
    }

    @Override
    public void reset() {
        nap = nanos;
    }

    @Override
    public String alias() {
        return "nap";
    }
}
