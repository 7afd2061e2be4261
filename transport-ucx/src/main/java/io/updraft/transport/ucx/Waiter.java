package io.updraft.transport.ucx;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for UCX, which has to be asked again and again: nothing arrives while nobody calls {@code progress}. UCX's own way of
 * waiting ({@code waitForEvents}) loses wake-ups, and the sound one needs a poll of a file descriptor that Java cannot do.
 *
 * <p>It asks without pause for a moment, since most answers come soon; then sleeps between questions, each time longer, so that
 * a worker under load, whose owner has often to wait for some hundred microseconds, is not all context switches. On a core that
 * is shared with the peer, asking without pause would keep the peer from answering.
 */
final class Waiter {

    private static final int SPINS = 200;

    /** Linux makes 70 us of these. */
    private static final long SHORTEST_NAP_NANOS = 20_000;

    /** These cost a percent or two of a core. */
    private static final long LONGEST_NAP_NANOS = 250_000;

    private final boolean spin;
    private volatile boolean woken;
    private volatile Thread waiting;

    /** How often it was asked in vain since there was something; the owner's. */
    private long asked;

    private long nap = SHORTEST_NAP_NANOS;

    Waiter(boolean spin) {
        this.spin = spin;
    }

    /** From any thread. */
    void wakeUp() {
        woken = true;
        Thread owner = waiting;
        if (owner != null) {
            LockSupport.unpark(owner);
        }
    }

    /** There was something to do. Owner only. */
    void rouse() {
        asked = 0;
        nap = SHORTEST_NAP_NANOS;
    }

    void await(long nanos, BooleanSupplier hasWork) {
        long end = System.nanoTime() + nanos;
        waiting = Thread.currentThread();
        while (!woken && System.nanoTime() - end < 0) {
            if (hasWork.getAsBoolean()) {
                rouse();
                break;
            }
            idle();
        }
        waiting = null;
        woken = false;
    }

    private void idle() {
        asked++;
        if (spin || asked < SPINS) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(nap);
            nap = Math.min(2 * nap, LONGEST_NAP_NANOS);
        }
    }
}
