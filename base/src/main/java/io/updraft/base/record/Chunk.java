package io.updraft.base.record;

import java.util.function.Consumer;

/**
 * Consecutive records of one partition of a source (a file, a partition, a connection), as bytes. The reader creates the chunk and
 * the task that decodes the chunk releases its bytes. Everything else is immutable.
 *
 * <p>If {@link #ends} is null, the records are lines. A line ends with a line feed; the last one may end with the chunk. The
 * position of a line is {@link #from} plus its distance from the chunk's first byte. Otherwise record {@code i} goes from the
 * end of the record before it to {@code ends[i]}, and its position is {@code positions[i]}.
 */
public class Chunk implements SourceEvent {

    private final String partition;
    private final long from;
    private final long to;
    private final int length;
    private final int[] ends;
    private final long[] positions;
    private final long[] times;
    private final byte[] header;
    private final long firstLine;
    private byte[] bytes;
    /** Receives the bytes when they are released; null if nobody uses them again. */
    private Consumer<byte[]> released;

    /**
     * Creates a chunk of lines.
     *
     * @param partition the partition of the source
     * @param from the position of the first line in the partition
     * @param bytes holds the lines, from index 0
     * @param length the number of bytes used
     */
    public Chunk(String partition, long from, byte[] bytes, int length) {
        this(partition, from, bytes, length, null);
    }

    /**
     * Creates a chunk of lines of a partition whose first line names the columns.
     *
     * @param partition the partition of the source
     * @param from the position of the first line in the partition
     * @param bytes holds the lines, from index 0
     * @param length the number of bytes used
     * @param header the first line of the partition; it is also in the bytes if they begin the partition. With it, several decoders can
     *     decode chunks of one partition, and a partition can be resumed in its middle. Pass the same array for all chunks of a partition,
     *     because a decoder parses it only when the array changes. Null if the partition has no header, or the header is not needed
     */
    public Chunk(String partition, long from, byte[] bytes, int length, byte[] header) {
        this(partition, from, from + length, bytes, length, null, null, null, header, 0);
    }

    /**
     * Creates a chunk of lines whose numbers are known.
     *
     * @param partition the partition of the source
     * @param from the position of the first line in the partition
     * @param bytes holds the lines, from index 0
     * @param length the number of bytes used
     * @param firstLine the number of the first line in the partition, from 1; 0 if unknown
     */
    public Chunk(String partition, long from, byte[] bytes, int length, long firstLine) {
        this(partition, from, from + length, bytes, length, null, null, null, null, firstLine);
    }

    /**
     * Creates a chunk of records.
     *
     * @param partition the partition of the source
     * @param from the position of the first record
     * @param to the position after the last record
     * @param bytes holds the records, one after the other from index 0
     * @param length the number of bytes used
     * @param ends the end of each record in the bytes; must not be changed
     * @param positions the position of each record; must not be changed
     * @param times the time of each record according to its source, milliseconds since 1970; null if the source has none
     */
    public Chunk(
            String partition,
            long from,
            long to,
            byte[] bytes,
            int length,
            int[] ends,
            long[] positions,
            long[] times) {
        this(partition, from, to, bytes, length, ends, positions, times, null, 0);
    }

    private Chunk(
            String partition,
            long from,
            long to,
            byte[] bytes,
            int length,
            int[] ends,
            long[] positions,
            long[] times,
            byte[] header,
            long firstLine) {
        this.partition = partition;
        this.from = from;
        this.to = to;
        this.bytes = bytes;
        this.length = length;
        this.ends = ends;
        this.positions = positions;
        this.times = times;
        this.header = header;
        this.firstLine = firstLine;
    }

    /** {@return the partition of the source: a file's path, or a topic and partition} */
    @Override
    public final String partition() {
        return partition;
    }

    /** {@return the position of the first record: a byte position or an offset} */
    public final long from() {
        return from;
    }

    /** {@return the position after the last record} */
    public final long to() {
        return to;
    }

    /** {@return the records; null after {@link #release}} */
    public final byte[] bytes() {
        return bytes;
    }

    /** {@return the number of bytes of {@link #bytes} that are records} */
    public final int length() {
        return length;
    }

    /** {@return whether the records are lines} */
    public final boolean isLines() {
        return ends == null;
    }

    /** {@return the end of each record in the bytes; null if the records are lines} */
    public final int[] ends() {
        return ends;
    }

    /** {@return the position of each record; null if the records are lines} */
    public final long[] positions() {
        return positions;
    }

    /** {@return the time of each record, milliseconds since 1970; null if the source has none} */
    public final long[] times() {
        return times;
    }

    /** {@return the first line of the partition, which names the columns; null if there is none} */
    public final byte[] header() {
        return header;
    }

    /** {@return the number of the first line in the partition, from 1; 0 if it is unknown, or the records are not lines} */
    public final long firstLine() {
        return firstLine;
    }

    /** {@return the keys of the records; null if the source has none, or does not keep them} */
    public ByteColumn keys() {
        return null;
    }

    /**
     * Returns a header of the records.
     *
     * @param name the name of the header; of several headers of one record, the last counts
     * @return the values; null if the source has none, or does not keep them
     */
    public ByteColumn headers(String name) {
        return null;
    }

    /** {@return the topic of the records; null if they are of none} */
    public String topic() {
        return null;
    }

    /** {@return the index of the partition in its topic; -1 if there is no topic} */
    public int partitionIndex() {
        return -1;
    }

    /**
     * Sets who receives the bytes when they are released, to use them for other records.
     *
     * @param receiver called by the thread that releases the bytes
     * @return this chunk
     */
    public final Chunk onRelease(Consumer<byte[]> receiver) {
        released = receiver;
        return this;
    }

    /** Releases the bytes, which must no longer be read then. A chunk may be referenced long after its records were decoded. */
    public void release() {
        byte[] free = bytes;
        bytes = null;
        if (free != null && released != null) {
            released.accept(free);
        }
    }
}
