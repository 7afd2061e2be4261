package io.updraft.cluster.link;

import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;

/**
 * How the gateway idles: it looks a few times more, then sleeps until it is woken. Whoever puts something where the gateway
 * will look wakes it, and pays for a system call only when it sleeps (Dekker's handshake: the gateway says that it sleeps,
 * then looks once more; the other puts, then looks whether it sleeps).
 */
final class Doze {
    private static final int LOOKS = 20;

    /** Sessions have timers of their own; this only bounds what a missed wake-up could cost. */
    private static final long LONGEST_NANOS = 100_000_000;

    /** The engine asks to try a delivery again within a millisecond. */
    private static final long RETRY_NANOS = 200_000;

    private volatile boolean sleeping;
    private volatile Messengers messengers;
    private int looks;

    /** Says who is to be woken. Gateway only. */
    void watch(Messengers sleeper) {
        messengers = sleeper;
    }

    /** Wakes the gateway if it sleeps. From any thread. */
    void wake() {
        VarHandle.fullFence();
        Messengers sleeper = messengers;
        if (sleeping && sleeper != null) {
            sleeping = false;
            sleeper.wakeUp();
        }
    }

    /** There was something to do. Gateway only. */
    void rouse() {
        looks = 0;
    }

    /**
     * Sleeps if there has been nothing to do for long enough and still is nothing. Gateway only.
     *
     * @param gateway tells whether there is something to do
     * @param called whether somebody wants something else
     */
    void sleep(Gateway gateway, BooleanSupplier called) {
        if (looks < LOOKS) {
            looks++;
            Thread.onSpinWait();
            return;
        }
        sleeping = true;
        VarHandle.fullFence();
        if (!called.getAsBoolean() && !gateway.hasOutgoing()) {
            messengers.await(gateway.isStuck() ? RETRY_NANOS : LONGEST_NANOS);
        }
        sleeping = false;
    }
}
