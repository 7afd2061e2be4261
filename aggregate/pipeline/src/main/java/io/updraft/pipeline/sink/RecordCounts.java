package io.updraft.pipeline.sink;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The counters of a sink for late records or dead letters, and its single warning. Any thread. */
final class RecordCounts {

    private static final Logger LOG = LoggerFactory.getLogger(RecordSink.class);

    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicBoolean said = new AtomicBoolean();

    /** Counts a record; returns the new number of records. */
    long accept() {
        return accepted.incrementAndGet();
    }

    /** Counts a record that cannot be written, and logs the reason for the first one. */
    void drop(String where, Exception cause) {
        dropped.incrementAndGet();
        trouble(where, cause);
    }

    /** Logs a failure, unless one was logged before. */
    void trouble(String where, Exception cause) {
        if (said.compareAndSet(false, true)) {
            LOG.warn(
                    "Late records or dead letters cannot be written to {} and are only counted: {}",
                    where,
                    cause.toString());
        }
    }

    /** Counts accepted records that could not be written. */
    void lose(long records) {
        dropped.addAndGet(records);
    }

    long accepted() {
        return accepted.get();
    }

    long dropped() {
        return dropped.get();
    }
}
