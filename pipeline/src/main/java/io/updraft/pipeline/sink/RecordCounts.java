package io.updraft.pipeline.sink;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a sink for records that are put aside counts, and says once. Any thread. */
final class RecordCounts {

    private static final Logger LOG = LoggerFactory.getLogger(RecordSink.class);

    private final AtomicLong accepted = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicBoolean said = new AtomicBoolean();

    /** Counts a record; returns how many there are with it. */
    long accept() {
        return accepted.incrementAndGet();
    }

    /** Counts a record that cannot be kept, and says why if it is the first. */
    void drop(String where, Exception cause) {
        dropped.incrementAndGet();
        trouble(where, cause);
    }

    /** Says what is wrong, if nothing was said before. */
    void trouble(String where, Exception cause) {
        if (said.compareAndSet(false, true)) {
            LOG.warn(
                    "Records that are put aside cannot be written to {}, they are only counted: {}",
                    where,
                    cause.toString());
        }
    }

    /** Counts records that had been written and are gone. */
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
