package io.updraft.kafka.units;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A session as seen by this process's own clock. A server that answered a request had heard of us after the request was
 * sent, so it keeps the session for a timeout from then at least; the lease ends a quarter earlier, so that work can stop
 * before anybody else starts. Once over, it stays so. Thread-safe.
 */
final class Lease {

    private final LongSupplier nanoTime;
    private final long length;
    private long end;
    private boolean over;

    Lease(Duration session, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.length = session.toNanos() / 4 * 3;
        this.end = nanoTime.getAsLong() + length;
    }

    /** The server has answered a request that was sent at this time. */
    synchronized void renew(long sent) {
        if (holds() && sent + length - end > 0) {
            end = sent + length;
        }
    }

    synchronized void end() {
        over = true;
    }

    /** A process that was stopped finds out here, as the clock went on. */
    synchronized boolean holds() {
        if (nanoTime.getAsLong() - end >= 0) {
            over = true;
        }
        return !over;
    }
}
