package io.updraft.kafka.sink;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;

/**
 * The records that the producer or a broker refuses for what they are: they would be refused again. A transaction ends with the
 * first of them, so records that are larger than a refused one count as refused too. Thread-safe.
 */
public final class RecordRefusals {

    /** The most bytes by which the headers of two records differ that have equally many bytes of key and value. */
    private static final int MARGIN = 16;

    private final boolean hasSizeLimit;
    private final Map<Long, String> reasons = new HashMap<>();
    private int limit = Integer.MAX_VALUE;
    private String limitReason;

    /**
     * Creates an empty instance.
     *
     * @param client the settings of the producer: where it compresses, a larger record may be smaller for the broker
     */
    public RecordRefusals(Map<String, ?> client) {
        hasSizeLimit = "none"
                .equals(String.valueOf(
                        client.containsKey("compression.type") ? client.get("compression.type") : "none"));
    }

    /** Returns whether a failure of a record shows that no attempt can succeed. */
    public static boolean isRefusal(Exception failure) {
        return failure instanceof RecordTooLargeException
                || failure instanceof RecordBatchTooLargeException
                || failure instanceof InvalidRecordException
                || failure instanceof InvalidTimestampException
                || failure instanceof SerializationException;
    }

    /** Returns the size of a record: the bytes of key and value. */
    public static int bytes(ProducerRecord<byte[], byte[]> record) {
        return (record.key() == null ? 0 : record.key().length) + record.value().length;
    }

    /** Adds a refused record, with its number among the records of a write. */
    public synchronized void add(long number, int bytes, Exception refusal) {
        reasons.put(number, refusal.getMessage());
        if (hasSizeLimit && refusal instanceof RecordTooLargeException && bytes + MARGIN < limit) {
            limit = bytes + MARGIN;
            limitReason = "The record has " + bytes + " bytes or more: " + refusal.getMessage();
        }
    }

    /** Returns why a record is refused; null if it is not. */
    public synchronized String reason(long number, int bytes) {
        String reason = reasons.get(number);
        return reason == null && bytes >= limit ? limitReason : reason;
    }

    public synchronized boolean isEmpty() {
        return reasons.isEmpty();
    }
}
