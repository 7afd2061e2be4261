package io.updraft.transport.ucx;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for UCX by polling: nothing arrives while no thread calls {@code progress}. UCX's own way of waiting
 * ({@code waitForEvents}) loses wake-ups. The reliable way polls a file descriptor, which Java cannot do.
 *
 * <p>The waiter first polls without a pause, because most answers come soon. Then it sleeps between polls, each time longer.
 * The growing sleeps limit the context switches of a worker under load, whose owner often waits for some hundred microseconds.
 * On a core that is shared with the peer, polling without a pause would keep the peer from answering.
 */
final class PollingWait {

    private static final int SPINS = 200;

    /** Linux turns this into 70 us. */
    private static final long SHORTEST_NAP_NANOS = 20_000;

    /** Naps of this length cost a percent or two of a core. */
    private static final long LONGEST_NAP_NANOS = 250_000;

    private final boolean spin;
    private volatile boolean woken;
    private volatile Thread waiting;

    /** Number of polls without work since the last work; owner only. */
    private long idlePolls;

    private long pause = SHORTEST_NAP_NANOS;

    PollingWait(boolean spin) {
        this.spin = spin;
    }

    /** Ends the wait. From any thread. */
    void wakeUp() {
        woken = true;
        LockSupport.unpark(waiting);
    }

    /** Notes that there was work. Owner only. */
    void resetPauses() {
        idlePolls = 0;
        pause = SHORTEST_NAP_NANOS;
    }

    void await(long nanos, BooleanSupplier hasWork) {
        long end = System.nanoTime() + nanos;
        waiting = Thread.currentThread();
        while (!woken && System.nanoTime() - end < 0) {
            if (hasWork.getAsBoolean()) {
                resetPauses();
                break;
            }
            idle();
        }
        waiting = null;
        woken = false;
    }

    private void idle() {
        idlePolls++;
        if (spin || idlePolls < SPINS) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(pause);
            pause = Math.min(2 * pause, LONGEST_NAP_NANOS);
        }
    }
}
