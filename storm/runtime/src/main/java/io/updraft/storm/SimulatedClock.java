package io.updraft.storm;

import io.updraft.engine.api.EngineClock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.utils.Time;

/**
 * The engine's clock when a test drives time. It is Storm's own simulated {@link Time}, so that components and the engine see
 * the same time. As in Storm, the whole process has one simulated time.
 *
 * <p>Safe to use from any thread; only one thread at a time may call {@link #advance}.
 */
final class SimulatedClock implements EngineClock, AutoCloseable {

    /** The maximum time that {@link #advance} waits for event loops to read the new time, in real nanoseconds. */
    private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private final Map<Thread, Long> readers = new ConcurrentHashMap<>();
    private Time.SimulatedTime begunHere;

    /** Starts the simulation at 0. If the process simulates time already, joins that simulation. */
    public SimulatedClock() {
        begunHere = Time.isSimulating() ? null : new Time.SimulatedTime();
    }

    @Override
    public long nanoTime() {
        long now = Time.nanoTime();
        readers.put(Thread.currentThread(), now);
        return now;
    }

    @Override
    public long currentTimeMillis() {
        return Time.currentTimeMillis();
    }

    /**
     * Advances the time, wakes event loops that may sleep by real time, then waits until every thread that reads the clock has
     * read the new time. The wait is bounded.
     */
    public void advance(int seconds, Runnable wakeLoops) throws InterruptedException {
        long before = Time.nanoTime();
        Time.advanceTimeSecs(seconds);
        wakeLoops.run();
        long limit = System.nanoTime() + SETTLE_NANOS;
        while (anyReaderStillAt(before) && System.nanoTime() < limit) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Ends the simulation if this instance started it. Idempotent. */
    @Override
    public synchronized void close() {
        if (begunHere != null) {
            begunHere.close();
            begunHere = null;
        }
    }

    private boolean anyReaderStillAt(long time) {
        readers.keySet().removeIf(thread -> !thread.isAlive());
        return readers.entrySet().stream()
                .anyMatch(reader -> reader.getValue() == time && reader.getKey() != Thread.currentThread());
    }
}
