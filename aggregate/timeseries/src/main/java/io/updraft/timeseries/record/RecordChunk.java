package io.updraft.timeseries.record;

/**
 * Consecutive records of one unit of a source (a file, a partition, a connection), as bytes. The reader creates the chunk and
 * the decoder releases its bytes. Everything else is immutable.
 *
 * <p>If {@link #ends} is null, the records are lines. A line ends with a line feed; the last one may end with the chunk. The
 * position of a line is {@link #from} plus its distance from the chunk's first byte. Otherwise record {@code i} goes from the
 * end of the record before it to {@code ends[i]}, and its position is {@code positions[i]}.
 */
public final class RecordChunk {

    private final String unit;
    private final long from;
    private final long to;
    private final int length;
    private final int[] ends;
    private final long[] positions;
    private final long[] times;
    private final byte[] header;
    private byte[] bytes;

    /** Creates a chunk of lines: {@code bytes[0..length)} are the unit's bytes from position {@code from} on. */
    public RecordChunk(String unit, long from, byte[] bytes, int length) {
        this(unit, from, bytes, length, null);
    }

    /**
     * Creates a chunk of lines of a unit whose first line names the columns.
     *
     * @param unit the unit of the source
     * @param from the position of the first line in the unit
     * @param bytes holds the lines, from index 0
     * @param length the number of bytes used
     * @param header the first line of the unit; it is also in the bytes if they begin the unit. With it, several decoders can
     *     decode chunks of one unit, and a unit can be resumed in its middle. Pass the same array for all chunks of a unit,
     *     because a decoder parses it only when the array changes. Null if the unit has no header, or the header is not needed
     */
    public RecordChunk(String unit, long from, byte[] bytes, int length, byte[] header) {
        this(unit, from, from + length, bytes, length, null, null, null, header);
    }

    /**
     * Creates a chunk of records.
     *
     * @param unit the unit of the source
     * @param from the position of the first record
     * @param to the position after the last record
     * @param bytes holds the records, one after the other from index 0
     * @param length the number of bytes used
     * @param ends the end of each record in the bytes; must not be changed
     * @param positions the position of each record; must not be changed
     * @param times the time of each record according to its source, milliseconds since 1970; null if the source has none
     */
    public RecordChunk(
            String unit, long from, long to, byte[] bytes, int length, int[] ends, long[] positions, long[] times) {
        this(unit, from, to, bytes, length, ends, positions, times, null);
    }

    private RecordChunk(
            String unit,
            long from,
            long to,
            byte[] bytes,
            int length,
            int[] ends,
            long[] positions,
            long[] times,
            byte[] header) {
        this.unit = unit;
        this.from = from;
        this.to = to;
        this.bytes = bytes;
        this.length = length;
        this.ends = ends;
        this.positions = positions;
        this.times = times;
        this.header = header;
    }

    /** Returns the unit of the source: a file's path, or a topic and partition. */
    public String unit() {
        return unit;
    }

    /** Returns the position of the first record: a byte position or an offset. */
    public long from() {
        return from;
    }

    /** Returns the position after the last record. */
    public long to() {
        return to;
    }

    /** Returns the records; null after {@link #release}. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the number of bytes of {@link #bytes} that are records. */
    public int length() {
        return length;
    }

    /** Returns whether the records are lines. */
    public boolean isLines() {
        return ends == null;
    }

    /** Returns the end of each record in the bytes; null if the records are lines. */
    public int[] ends() {
        return ends;
    }

    /** Returns the position of each record; null if the records are lines. */
    public long[] positions() {
        return positions;
    }

    /** Returns the time of each record, milliseconds since 1970; null if the source has none. */
    public long[] times() {
        return times;
    }

    /** Returns the first line of the unit, which names the columns; null if there is none. */
    public byte[] header() {
        return header;
    }

    /** Releases the bytes. A chunk may be referenced long after its records were decoded. */
    public void release() {
        bytes = null;
    }
}
