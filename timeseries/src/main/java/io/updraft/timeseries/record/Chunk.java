package io.updraft.timeseries.record;

/**
 * Some records of one unit of a source (a file, a partition, a connection) in their order, still as bytes. Whoever reads makes
 * it, whoever decodes lets its bytes go; everything else of it is immutable.
 *
 * <p>If {@link #ends} is null, the records are lines: they end with a line feed (the last one may end with the chunk), and the
 * position of each is {@link #from} plus its distance from the chunk's first byte. Otherwise record {@code i} goes from the end
 * of the record before it to {@code ends[i]}, and its position is {@code positions[i]}.
 */
public final class Chunk {

    private final String unit;
    private final long from;
    private final long to;
    private final int length;
    private final int[] ends;
    private final long[] positions;
    private final long[] times;
    private final byte[] header;
    private byte[] bytes;

    /** A chunk of lines: {@code bytes[0..length)} of the unit's bytes that begin at {@code from}. */
    public Chunk(String unit, long from, byte[] bytes, int length) {
        this(unit, from, bytes, length, null);
    }

    /**
     * A chunk of lines of a unit whose first line names the columns.
     *
     * @param unit what of the source they are from
     * @param from where in the unit the first line begins
     * @param bytes holds the lines, from index 0
     * @param length how many bytes that is
     * @param header the first line of the unit, which is in the bytes too if they begin the unit. It lets chunks of one unit go
     *     to several decoders, and a unit be read on from its middle. Best the same array for all chunks of a unit, as it is
     *     read again only when it is another one. Null if there is none, or nobody asked
     */
    public Chunk(String unit, long from, byte[] bytes, int length, byte[] header) {
        this(unit, from, from + length, bytes, length, null, null, null, header);
    }

    /**
     * A chunk of records.
     *
     * @param unit what of the source they are from
     * @param from the position of the first record
     * @param to the position after that of the last record
     * @param bytes holds the records, one after the other from index 0
     * @param length how many bytes that is
     * @param ends where each record ends in the bytes; not to be changed
     * @param positions the position of each record; not to be changed
     * @param times when each record was made according to its source, milliseconds since 1970; null if the source does not tell
     */
    public Chunk(
            String unit, long from, long to, byte[] bytes, int length, int[] ends, long[] positions, long[] times) {
        this(unit, from, to, bytes, length, ends, positions, times, null);
    }

    private Chunk(
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

    /** What of the source the records are from: a file's path, a topic and partition. */
    public String unit() {
        return unit;
    }

    /** The position of the first record: a byte or an offset. */
    public long from() {
        return from;
    }

    /** The position after that of the last record. */
    public long to() {
        return to;
    }

    /** The records; null once they have been let go. */
    public byte[] bytes() {
        return bytes;
    }

    /** How many bytes of {@link #bytes} are records. */
    public int length() {
        return length;
    }

    /** Whether the records are lines. */
    public boolean isLines() {
        return ends == null;
    }

    /** Where each record ends in the bytes; null if they are lines. */
    public int[] ends() {
        return ends;
    }

    /** The position of each record; null if they are lines. */
    public long[] positions() {
        return positions;
    }

    /** When each record was made, milliseconds since 1970; null if the source does not tell. */
    public long[] times() {
        return times;
    }

    /** The first line of the unit, which names the columns; null if there is none. */
    public byte[] header() {
        return header;
    }

    /** Lets the bytes go: a chunk may be known long after its records were handled. */
    public void release() {
        bytes = null;
    }
}
