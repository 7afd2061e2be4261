package io.updraft.kafka.sink;

import java.util.HashMap;
import java.util.IdentityHashMap;
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
 *
 * <p>After the first refusal in a transaction, Kafka's producer fails the records that it has not yet sent, all with one
 * exception. A record that is too large has received that exception before them, as the only record of its batch. Invalid
 * records have not: each has an exception of its own. So only the first record of each exception counts, and of invalid
 * records only the first refused one and those that share their exception with none and are not the last. The next attempt shows
 * others.
 */
public final class RecordRefusals {

    /** The most bytes by which the headers of two records differ that have equally many bytes of key and value. */
    private static final int MARGIN = 16;

    private final boolean hasSizeLimit;
    private final boolean isTransaction;
    private final Map<Long, String> reasons = new HashMap<>();
    /** By exception, the number of its first record. */
    private final Map<Exception, Long> numbers = new IdentityHashMap<>();

    private long first;
    /** The number of the record whose exception may be that of the transaction; -1 if there is none. */
    private long uncertain = -1;

    private int limit = Integer.MAX_VALUE;
    private String limitReason;

    /**
     * Creates an empty instance.
     *
     * @param client the settings of the producer: where it compresses, a larger record may be smaller for the broker
     * @param isTransaction whether the records are part of one transaction
     */
    public RecordRefusals(Map<String, ?> client, boolean isTransaction) {
        this.isTransaction = isTransaction;
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
        boolean isTooLarge = refusal instanceof RecordTooLargeException;
        Long earlier = numbers.putIfAbsent(refusal, number);
        if (isTransaction && earlier != null) {
            if (!isTooLarge && earlier != first) {
                reasons.remove(earlier);
            }
            return;
        }
        if (reasons.isEmpty()) {
            first = number;
        }
        uncertain = isTransaction && !isTooLarge && first != number ? number : -1;
        reasons.put(number, refusal.getMessage());
        if (hasSizeLimit && isTooLarge && bytes + MARGIN < limit) {
            limit = bytes + MARGIN;
            limitReason = "The record has " + bytes + " bytes or more: " + refusal.getMessage();
        }
    }

    /** Returns why a record is refused; null if it is not. */
    public synchronized String reason(long number, int bytes) {
        String reason = number == uncertain ? null : reasons.get(number);
        return reason == null && bytes >= limit ? limitReason : reason;
    }

    public synchronized boolean isEmpty() {
        return reasons.isEmpty();
    }
}
