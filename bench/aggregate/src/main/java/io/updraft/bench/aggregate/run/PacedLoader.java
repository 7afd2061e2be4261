package io.updraft.bench.aggregate.run;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.bench.aggregate.data.MeasurementSequence;
import io.updraft.bench.aggregate.data.TopicLoader;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.errors.InterruptException;

/** Writes records to a topic at a steady rate, on its own thread. Only the creating thread calls the methods. */
final class PacedLoader implements AutoCloseable {

    /** The pacing granularity: records due within this time are written without waiting. */
    private static final long PACE_NANOS = 1_000_000;

    private final MeasurementSequence firehose;
    private final long rate;
    private final Thread thread;
    private final AtomicLong written = new AtomicLong();
    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();

    /** Starts to write {@code rate} records per second. */
    PacedLoader(MeasurementSequence firehose, String bootstrapServers, String topic, long rate) {
        this.firehose = firehose;
        this.rate = rate;
        thread = DaemonThreads.create("bench-feeder", () -> run(bootstrapServers, topic));
        thread.start();
    }

    private void run(String bootstrapServers, String topic) {
        long began = System.nanoTime();
        try {
            TopicLoader.load(firehose, bootstrapServers, topic, record -> await(record, began));
            written.set(firehose.records());
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }

    private void await(long record, long began) {
        written.setPlain(record);
        long due = began + (long) (record * 1e9 / rate);
        while (due - System.nanoTime() > PACE_NANOS) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptException("the run is over");
            }
            LockSupport.parkNanos(PACE_NANOS);
        }
    }

    /** {@return the number of records written} */
    long written() {
        return written.get();
    }

    /** {@return the error that stopped the writing; null if there is none} */
    RuntimeException failure() {
        return failure.get();
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
