package io.updraft.pipeline.source;

import io.updraft.base.record.SourceEvent;
import io.updraft.base.thread.DaemonThreads;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A source with a thread that reads ahead, and waits while its queue of events is full. */
abstract class ReadAheadSource implements RecordSource {

    @FunctionalInterface
    public interface Out {

        /** Hands over an event; waits while the queue is full. */
        void put(SourceEvent event) throws InterruptedException;
    }

    private static final int MAX_AT_ONCE = 16;
    private static final long JOIN_MILLIS = 2_000;

    private final BlockingQueue<SourceEvent> events;
    private final Thread thread;
    private volatile SourceException failure;
    private volatile boolean done;

    /** Creates the thread without starting it. The queue holds {@code capacity} events. */
    protected ReadAheadSource(String name, int capacity) {
        events = new ArrayBlockingQueue<>(capacity);
        thread = DaemonThreads.create(name, this::run);
    }

    public final void start() {
        thread.start();
    }

    /** Reads to the end, or until it is interrupted. */
    public abstract void read(Out out) throws SourceException, InterruptedException;

    private void run() {
        try {
            read(events::put);
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
    @Override
    public final List<SourceEvent> poll() throws SourceException {
        boolean wasDone = done;
        List<SourceEvent> next = new ArrayList<>(MAX_AT_ONCE);
        if (events.drainTo(next, MAX_AT_ONCE) == 0 && wasDone && failure != null) {
            throw failure;
        }
        return next;
    }

    /** Returns whether the thread has finished without a failure and all events were taken. */
    @Override
    public final boolean ended() {
        return done && failure == null && events.isEmpty();
    }

    @Override
    public void close() {
        thread.interrupt();
        DaemonThreads.join(thread, JOIN_MILLIS);
        events.clear();
    }
}
