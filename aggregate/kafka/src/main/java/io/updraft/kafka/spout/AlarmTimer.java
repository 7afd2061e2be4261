package io.updraft.kafka.spout;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Triggers the spout's check for overdue records while the engine does not call {@code nextTuple}: too many tuples are pending,
 * or back-pressure holds the spout. Alarms matter most then. Runs a thread of its own. Works only on the embedded engine, not
 * on stock Storm.
 */
final class AlarmTimer implements AutoCloseable {

    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final EngineTraces engine;
    private final Runnable look;
    private final Thread thread;
    private volatile boolean closed;

    /** Whether a turn on the spout's thread was requested and has not run yet. */
    private volatile boolean asked;

    AlarmTimer(EngineTraces engine, Runnable look) {
        this.engine = engine;
        this.look = look;
        this.thread = new Thread(this::remind, "kafka-alarm-" + engine.spout());
        thread.setDaemon(true);
        thread.start();
    }

    private void remind() {
        while (!closed) {
            LockSupport.parkNanos(EVERY_NANOS);
            if (!closed && !asked) {
                asked = true;
                engine.run(this::turn);
            }
        }
    }

    private void turn() {
        asked = false;
        if (!closed) {
            look.run();
        }
    }

    /** Stops the thread. Called on the spout's thread; no check runs after it returns. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
