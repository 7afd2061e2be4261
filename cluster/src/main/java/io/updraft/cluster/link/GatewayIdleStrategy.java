package io.updraft.cluster.link;

import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;

/**
 * Idles the gateway's thread: it polls a few times more, then sleeps until it is woken. A thread that gives the gateway work
 * calls {@link #wake}, which makes a system call only when the gateway sleeps. This is Dekker's handshake: the gateway sets
 * {@code sleeping} and then checks for work once more; the other thread adds work and then reads {@code sleeping}.
 */
final class GatewayIdleStrategy {
    private static final int POLLS = 20;

    /** Longest sleep. Sessions have their own timers, so this only bounds the cost of a missed wake-up. */
    private static final long MAX_NANOS = 100_000_000;

    /** Longest sleep while a delivery waits for room in the engine. The engine asks for a retry within a millisecond. */
    private static final long RETRY_NANOS = 200_000;

    private volatile boolean sleeping;
    private volatile Messengers messengers;
    private int polls;

    void setMessengers(Messengers sleeper) {
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

    /** Notes that there was work, so that polling starts again. Gateway only. */
    void reset() {
        polls = 0;
    }

    /** Sleeps if the last polls found no work, the gateway has nothing to send, and nobody calls it. Gateway only. */
    void idle(Gateway gateway, BooleanSupplier called) {
        if (polls < POLLS) {
            polls++;
            Thread.onSpinWait();
            return;
        }
        sleeping = true;
        VarHandle.fullFence();
        if (!called.getAsBoolean() && !gateway.hasOutgoing()) {
            messengers.await(gateway.isStuck() ? RETRY_NANOS : MAX_NANOS);
        }
        sleeping = false;
    }
}
