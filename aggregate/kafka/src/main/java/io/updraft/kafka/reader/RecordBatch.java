package io.updraft.kafka.reader;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import org.apache.kafka.common.TopicPartition;

/**
 * Consecutive records of one partition, with their values one after the other in one array. Immutable, except that its user may
 * change or reuse the arrays when nothing else has the batch.
 *
 * <pre>
 *   bytes     | value 0 | value 1 |   value 2   |
 *   ends                ^         ^             ^      value i is bytes[ends[i - 1] .. ends[i])
 * </pre>
 *
 * <p>Offsets may have gaps (compacted topics, transaction markers); the batch covers all of {@code [from, to)}, so that a gap
 * never holds back a commit.
 *
 * @param partition the partition
 * @param from the offset after the last record of the previous batch, or where reading began
 * @param to the offset after the last record, where the next batch begins
 * @param bytes the values, one after the other; the array has no unused bytes
 * @param ends where in {@code bytes} the value of each record ends
 * @param nulls which records have no value; null if all have one
 * @param keys the keys; null if the reader does not keep them
 * @param offsets the offset of each record, ascending
 * @param timestamps the timestamp of each record, milliseconds since 1970
 * @param leaderEpoch the epoch of the leader that took the last record; {@link LogIdentity#NO_EPOCH} if the broker does not say
 */
public record RecordBatch(
        TopicPartition partition,
        long from,
        long to,
        byte[] bytes,
        int[] ends,
        BitSet nulls,
        Column keys,
        long[] offsets,
        long[] timestamps,
        int leaderEpoch)
        implements ReaderEvent {

    /** {@return the number of records, at least 1} */
    public int count() {
        return ends.length;
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
        return isNull(record) ? null : slice(bytes, ends, record);
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
        int start = start(ends, record);
        return isNull(record) ? null : new String(bytes, start, ends[record] - start, StandardCharsets.UTF_8);
    }

    int size() {
        return bytes.length + (keys == null ? 0 : keys.bytes.length + 4 * keys.ends.length) + 20 * ends.length;
    }

    private static byte[] slice(byte[] all, int[] ends, int record) {
        return java.util.Arrays.copyOfRange(all, start(ends, record), ends[record]);
    }

    private static int start(int[] ends, int record) {
        return record == 0 ? 0 : ends[record - 1];
    }

    @Override
    public String toString() {
        return partition + " [" + from + ", " + to + ") " + count() + " records";
    }

    /** The values or the keys of a batch under construction. */
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
