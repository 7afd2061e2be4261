package io.updraft.pipeline.source;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * A thread that produces events and waits while its queue is full. {@link #poll}, {@link #ended} and {@link #close} are for the
 * thread that uses the source.
 */
final class ReadAhead implements AutoCloseable {

    /** The work of the thread. */
    @FunctionalInterface
    interface Reading {

        /**
         * Reads to the end, or until it is interrupted.
         *
         * @param out receives the events
         */
        void read(Out out) throws SourceException, InterruptedException;
    }

    /** Receives the events. */
    @FunctionalInterface
    interface Out {

        /** Hands over an event; waits for room in the queue. */
        void put(Source.Event event) throws InterruptedException;
    }

    private static final int MOST_AT_ONCE = 16;
    private static final long PATIENCE_MILLIS = 2_000;

    private final BlockingQueue<Source.Event> events;
    private final Thread thread;
    private volatile SourceException failure;
    private volatile boolean done;

    /** Creates the thread without starting it. The queue holds {@code capacity} events. */
    ReadAhead(String name, int capacity, Reading reading) {
        events = new ArrayBlockingQueue<>(capacity);
        thread = new Thread(() -> run(reading), name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run(Reading reading) {
        try {
            reading.read(events::put);
        } catch (SourceException e) {
            failure = e;
        } catch (RuntimeException | Error e) {
            failure = new SourceException(thread.getName() + " failed: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            done = true;
        }
    }

    /** Returns the next events. Throws a failure only after all events before it were taken. */
    List<Source.Event> poll() throws SourceException {
        boolean wasDone = done;
        List<Source.Event> next = new ArrayList<>(MOST_AT_ONCE);
        if (events.drainTo(next, MOST_AT_ONCE) == 0 && wasDone && failure != null) {
            throw failure;
        }
        return next;
    }

    /** Returns whether the thread has finished without a failure and all events were taken. */
    boolean ended() {
        return done && failure == null && events.isEmpty();
    }

    /** Returns whether the queue is full. */
    boolean isFull() {
        return events.remainingCapacity() == 0;
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        events.clear();
    }
}
