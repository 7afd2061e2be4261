package io.updraft.kafka.share;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A session as measured by this process's own clock. When a server answers a request, it keeps the session for at least one
 * timeout after the request was sent. The lease ends a quarter earlier, so that work can stop before another process starts.
 * Once over, it stays over. Thread-safe.
 */
final class SessionLease {

    private final LongSupplier nanoTime;
    private final long length;
    private long end;
    private boolean over;

    SessionLease(Duration session, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.length = session.toNanos() / 4 * 3;
        this.end = nanoTime.getAsLong() + length;
    }

    /** Renews the lease after the server answered a request that was sent at {@code sent}. */
    synchronized void renew(long sent) {
        if (holds() && sent + length - end > 0) {
            end = sent + length;
        }
    }

    synchronized void end() {
        over = true;
    }

    /** Returns whether the lease holds. A suspended process detects the end here, because the clock went on. */
    synchronized boolean holds() {
        if (nanoTime.getAsLong() - end >= 0) {
            over = true;
        }
        return !over;
    }
}
