package io.updraft.pipeline.sink.record;

import io.updraft.pipeline.connector.RecordSink;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A sink for late records or dead letters with its counters and its single warning. Any thread. */
abstract class CountedRecordSink implements RecordSink {

    private static final Logger LOG = LoggerFactory.getLogger(RecordSink.class);

    private final AtomicLong dropped = new AtomicLong();
    private final AtomicBoolean warned = new AtomicBoolean();
    private final String where;

    CountedRecordSink(String where) {
        this.where = where;
    }

    final String where() {
        return where;
    }

    /** Counts accepted records that cannot be written, and logs the reason unless one was logged before. */
    final void drop(long records, Exception cause) {
        dropped.addAndGet(records);
        if (warned.compareAndSet(false, true)) {
            LOG.warn(
                    "Late records or dead letters cannot be written to {} and are only counted: {}",
                    where,
                    cause.toString());
        }
    }

    @Override
    public final long dropped() {
        return dropped.get();
    }
}
