package io.updraft.kafka.reader;

import io.updraft.base.record.ByteColumn;
import io.updraft.base.record.Chunk;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Consecutive records of one partition of a topic, with their values one after the other in one array. Immutable until its
 * bytes are released.
 *
 * <pre>
 *   bytes     | value 0 | value 1 |   value 2   |
 *   ends                ^         ^             ^      value i is bytes[ends[i - 1] .. ends[i])
 * </pre>
 *
 * <p>A record's position is its offset, and its time is its timestamp. Offsets may have gaps (compacted topics, transaction
 * markers); the chunk covers all of {@code [from, to)}, so that a gap never holds back a commit.
 */
public final class KafkaChunk extends Chunk implements ReaderEvent {

    private final TopicPartition topicPartition;
    private final int leaderEpoch;
    private ByteColumn values;
    private ByteColumn keys;
    private Map<String, ByteColumn> headers;

    /**
     * Creates a chunk.
     *
     * @param partition the partition, which has the position of the first record if it has any
     * @param to the offset after the last record, where the next chunk begins
     * @param keys the keys; null if the reader does not keep them
     * @param headers the values of the headers that the reader keeps, by name
     */
    KafkaChunk(
            AssignedPartition partition,
            long to,
            ByteColumn values,
            ByteColumn keys,
            Map<String, ByteColumn> headers,
            long[] offsets,
            long[] timestamps,
            int leaderEpoch) {
        super(
                partition.name,
                partition.next >= 0 ? partition.next : offsets[0],
                to,
                values.bytes(),
                values.bytes().length,
                values.ends(),
                offsets,
                timestamps);
        this.topicPartition = partition.id;
        this.values = values;
        this.keys = keys;
        this.headers = headers;
        this.leaderEpoch = leaderEpoch;
    }

    @Override
    public TopicPartition topicPartition() {
        return topicPartition;
    }

    /** {@return the epoch of the leader that took the last record; {@link LogIdentity#NO_EPOCH} if the broker does not say} */
    public int leaderEpoch() {
        return leaderEpoch;
    }

    /** {@return the number of records, at least 1} */
    public int count() {
        return ends().length;
    }

    /** Returns whether a record has no value (a tombstone). Such a record takes no bytes. */
    public boolean isNull(int record) {
        return values.isNull(record);
    }

    /**
     * Copies a value.
     *
     * @return its value, null for a tombstone
     */
    public byte[] value(int record) {
        return values.value(record);
    }

    /**
     * Copies a key.
     *
     * @return its key; null if it has none, or the reader does not keep keys
     */
    public byte[] key(int record) {
        return keys == null ? null : keys.value(record);
    }

    /**
     * Decodes a value.
     *
     * @return its value as UTF-8, null for a tombstone
     */
    public String text(int record) {
        int start = values.start(record);
        return isNull(record) ? null : new String(bytes(), start, ends()[record] - start, StandardCharsets.UTF_8);
    }

    @Override
    public ByteColumn keys() {
        return keys;
    }

    @Override
    public ByteColumn headers(String name) {
        return headers.get(name);
    }

    @Override
    public String topic() {
        return topicPartition.topic();
    }

    @Override
    public int partitionIndex() {
        return topicPartition.partition();
    }

    @Override
    public void release() {
        super.release();
        values = null;
        keys = null;
        headers = Map.of();
    }

    int size() {
        int size = length() + (keys == null ? 0 : keys.size()) + 20 * count();
        for (ByteColumn header : headers.values()) {
            size += header.size();
        }
        return size;
    }

    @Override
    public String toString() {
        return topicPartition + " [" + from() + ", " + to() + ") " + count() + " records";
    }
}
