package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.SinkException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A destination for records that are not in a result: dead letters, which cannot be decoded, and late records. A record that
 * cannot be written now waits; one that can never be written is counted. Any thread may call it.
 */
public abstract class RejectedRecordSink implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RejectedRecordSink.class);

    private final AtomicLong dropped = new AtomicLong();
    private final AtomicBoolean warned = new AtomicBoolean();
    private final String where;

    RejectedRecordSink(String where) {
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
                    "late records or dead letters cannot be written to {} and are only counted: {}",
                    where,
                    cause.toString());
        }
    }

    /**
     * Accepts a record. The record may wait in memory until the next flush; the call does not block for longer than a write to
     * the disk.
     *
     * @param partition the partition of the source: a file, or a topic and partition
     * @param reason why the record is not in a result, in one line
     * @param bytes an array with the record; not changed, and not kept after the call
     * @param from the index of the first byte
     * @param length the number of bytes
     */
    public abstract void accept(String partition, long position, String reason, byte[] bytes, int from, int length);

    /**
     * Makes all records accepted so far durable. Only then may positions after them be committed. Records that can never be
     * written are counted; the reason is logged once.
     *
     * @throws SinkException when the write failed and may succeed later: the records wait for the next flush
     */
    public abstract void flush() throws SinkException;

    /** Returns roughly how many bytes wait in memory for a flush. Back-pressure holds the sources while there are many. */
    public long waiting() {
        return 0;
    }

    /** Returns how many records can never be written or exceed the limit, and are only counted. */
    public final long dropped() {
        return dropped.get();
    }

    /** Flushes if possible, and releases all resources. */
    @Override
    public abstract void close();
}
