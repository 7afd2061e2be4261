package io.updraft.kafka.spout;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Has the spout look for what is overdue while nobody asks it for tuples: because too many are pending, or because a bolt is so
 * far behind that spouts are held back, which is when alarms are due. A thread of its own; only where the engine can be asked for a
 * turn, not on stock Storm.
 */
final class Reminder implements AutoCloseable {

    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Whereabouts engine;
    private final Runnable look;
    private final Thread thread;
    private volatile boolean closed;

    /** Whether the engine has been asked for a turn that has not come. */
    private volatile boolean asked;

    Reminder(Whereabouts engine, Runnable look) {
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

    /** Ends it. On the spout's thread, which looks no more. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
