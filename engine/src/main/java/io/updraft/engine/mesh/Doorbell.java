package io.updraft.engine.mesh;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Lets one thread sleep until another thread has work for it, without a lock and without a lost wake-up.
 *
 * <p>The algorithm is Dekker's handshake: the sleeper announces itself and then checks for work; the waker publishes work and
 * then checks for a sleeper. Both have a full fence between the two steps, so that at least one of them sees the other.
 */
public final class Doorbell {

    private static final VarHandle SLEEPER;

    static {
        try {
            SLEEPER = MethodHandles.lookup().findVarHandle(Doorbell.class, "sleeper", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // through SLEEPER
    private Thread sleeper;

    /** Creates a doorbell without a sleeping thread. */
    public Doorbell() {}

    /**
     * Sleeps unless there is work. Called by the owner only.
     *
     * @param hasWork checks for work; called once, after the sleeper has announced itself
     * @param nanos longest sleep, nanoseconds
     */
    public void sleepUnless(BooleanSupplier hasWork, long nanos) {
        SLEEPER.setVolatile(this, Thread.currentThread());
        VarHandle.fullFence();
        if (!hasWork.getAsBoolean()) {
            LockSupport.parkNanos(this, nanos);
        }
        SLEEPER.setOpaque(this, null);
    }

    /** Wakes the owner if it sleeps. Called after the work was published; from any thread. */
    public void ring() {
        VarHandle.fullFence();
        Thread thread = (Thread) SLEEPER.getOpaque(this);
        if (thread != null && SLEEPER.compareAndSet(this, thread, null)) {
            LockSupport.unpark(thread);
        }
    }
}
