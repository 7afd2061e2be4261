package io.updraft.kafka.reader;

import io.updraft.base.record.Chunk;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
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
    private final BitSet nulls;
    private final Column keys;
    private final int leaderEpoch;

    /**
     * Creates a chunk.
     *
     * @param partition the partition, which has the position of the first record if it has any
     * @param to the offset after the last record, where the next chunk begins
     * @param keys the keys; null if the reader does not keep them
     */
    KafkaChunk(
            AssignedPartition partition,
            long to,
            Column values,
            Column keys,
            long[] offsets,
            long[] timestamps,
            int leaderEpoch) {
        super(
                partition.name,
                partition.next >= 0 ? partition.next : offsets[0],
                to,
                values.bytes,
                values.bytes.length,
                values.ends,
                offsets,
                timestamps);
        this.topicPartition = partition.id;
        this.nulls = values.nulls;
        this.keys = keys;
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
        return nulls != null && nulls.get(record);
    }

    /**
     * Copies a value.
     *
     * @return its value, null for a tombstone
     */
    public byte[] value(int record) {
        return isNull(record) ? null : slice(bytes(), ends(), record);
    }

    /**
     * Copies a key.
     *
     * @return its key; null if it has none, or the reader does not keep keys
     */
    public byte[] key(int record) {
        return keys == null || keys.nulls != null && keys.nulls.get(record)
                ? null
                : slice(keys.bytes, keys.ends, record);
    }

    /**
     * Decodes a value.
     *
     * @return its value as UTF-8, null for a tombstone
     */
    public String text(int record) {
        int start = start(ends(), record);
        return isNull(record) ? null : new String(bytes(), start, ends()[record] - start, StandardCharsets.UTF_8);
    }

    int size() {
        return length() + (keys == null ? 0 : keys.bytes.length + 4 * keys.ends.length) + 20 * count();
    }

    private static byte[] slice(byte[] values, int[] ends, int record) {
        return java.util.Arrays.copyOfRange(values, start(ends, record), ends[record]);
    }

    private static int start(int[] ends, int record) {
        return record == 0 ? 0 : ends[record - 1];
    }

    @Override
    public String toString() {
        return topicPartition + " [" + from() + ", " + to() + ") " + count() + " records";
    }

    /** The values or the keys of a chunk under construction. */
    static final class Column {

        final byte[] bytes;
        final int[] ends;
        BitSet nulls;
        private int end;

        Column(int count, int length) {
            bytes = new byte[length];
            ends = new int[count];
        }

        void set(int record, java.nio.ByteBuffer value) {
            if (value == null) {
                if (nulls == null) {
                    nulls = new BitSet(ends.length);
                }
                nulls.set(record);
            } else {
                int length = value.remaining();
                if (value.hasArray()) {
                    System.arraycopy(value.array(), value.arrayOffset() + value.position(), bytes, end, length);
                } else {
                    value.get(value.position(), bytes, end, length);
                }
                end += length;
            }
            ends[record] = end;
        }
    }
}
