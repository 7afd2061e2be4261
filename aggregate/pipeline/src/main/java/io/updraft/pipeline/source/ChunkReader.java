package io.updraft.pipeline.source;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongSupplier;

/** Cuts a stream of bytes into chunks of whole records. Not thread-safe. */
final class ChunkReader {

    @FunctionalInterface
    public interface Input {

        /** Reads at least one byte. Returns how many bytes it read, or -1 if there are none now. */
        int read(byte[] bytes, int from, int length) throws IOException;
    }

    /** Checks the first line, which is not handed over as a record. */
    @FunctionalInterface
    interface Header {

        /** Checks the line that ends before index {@code to}. It includes the line end if there is one. */
        void check(byte[] bytes, int to) throws SourceException;
    }

    /** Size of a chunk in bytes; a longer record makes a larger chunk. */
    static final int CHUNK = 256 * 1024;

    private static final int HEAD = 1024;
    /** A read of less than a page empties a pipe. The next bytes may come much later, so the reader hands over what it has. */
    private static final int SLOW = 4096;

    private final String partition;
    private final Input input;
    private final LineEnds lines;
    private final ChunkBuffers buffers;
    private final int maxRecord;
    /** Returns the number of the first line; null if lines are not numbered. */
    private final LongSupplier firstLine;

    /** The number of the line at the position; 0 until it is known. */
    private long line;

    private Header header;
    private byte[] rest = new byte[0];
    private long position;
    private boolean skipping;
    private byte[] skippedHead;
    private long skippedFrom;

    /**
     * Creates a reader for an input whose next byte has this position. The header may be null.
     *
     * @param firstLine returns the number of the line at the position, once bytes were read; null if lines need no numbers
     */
    ChunkReader(
            String partition,
            long position,
            Input input,
            RecordCutter cutter,
            int maxRecord,
            Header header,
            ChunkBuffers buffers,
            LongSupplier firstLine) {
        this.buffers = buffers;
        this.firstLine = firstLine;
        this.partition = partition;
        this.position = position;
        this.input = input;
        this.header = header;
        this.lines = new LineEnds(cutter);
        this.maxRecord = Math.max(maxRecord, CHUNK);
    }

    /** Returns the position of the first byte that was not handed over. */
    public long position() {
        return position;
    }

    /** Returns where another reader of the same bytes must start: at the first record that was not handed over. */
    public long resumeAt() {
        return skipping ? skippedFrom : position;
    }

    /** Returns the number of the line at {@link #resumeAt}; 0 if it is unknown. */
    long resumeLine() {
        return line;
    }

    /** Returns how many bytes were read but not handed over, since their record is incomplete. */
    public int pending() {
        return rest.length;
    }

    /**
     * Reads the next chunk.
     *
     * @return the chunk, or a rejected record if a record is too long; null if there is no whole record now
     */
    public SourceEvent next() throws IOException, SourceException {
        byte[] bytes = buffers.take(rest.length + CHUNK / 2);
        System.arraycopy(rest, 0, bytes, 0, rest.length);
        int length = rest.length;
        while (true) {
            int count = input.read(bytes, length, bytes.length - length);
            length += Math.max(0, count);
            if (skipping) {
                SourceEvent rejected = count < 0 ? null : skip(bytes, length);
                if (count < 0 || rejected != null) {
                    buffers.release(bytes);
                    return rejected;
                }
                length = 0;
                continue;
            }
            if (length < bytes.length && count >= SLOW) {
                continue;
            }
            int cut = length == rest.length ? 0 : lines.cut(bytes, length);
            if (cut > 0) {
                return handOver(bytes, cut, length);
            }
            if (length > maxRecord) {
                SourceEvent rejected = tooLong(bytes, length);
                if (rejected != null) {
                    return rejected;
                }
                length = 0;
            } else if (count < 0) {
                rest = Arrays.copyOf(bytes, length);
                buffers.release(bytes);
                return null;
            } else if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, bytes.length * 2);
            }
        }
    }

    private SourceEvent handOver(byte[] bytes, int cut, int length) throws SourceException {
        if (header != null) {
            return handOverHeader(bytes, cut, length);
        }
        rest = Arrays.copyOfRange(bytes, cut, length);
        Chunk chunk = new Chunk(partition, position, bytes, cut, line()).onRelease(buffers::release);
        advance(bytes, cut);
        return chunk;
    }

    private long line() {
        if (line == 0 && firstLine != null) {
            line = firstLine.getAsLong();
        }
        return line;
    }

    private void advance(byte[] bytes, int count) {
        position += count;
        if (firstLine != null) {
            line = line() + LineCounts.lineEnds(bytes, count);
        }
    }

    /** Passes over a line that is dropped. Its end may be a carriage return. */
    private void dropLine(int count) {
        position += count;
        if (firstLine != null) {
            line = line() + 1;
        }
    }

    // The last call hands over a chunk without records. Its position says that the header was read.
    private SourceEvent handOverHeader(byte[] bytes, int cut, int length) throws SourceException {
        int end = lines.afterFirst(bytes, cut);
        header.check(bytes, end);
        header = null;
        advance(bytes, end);
        rest = Arrays.copyOfRange(bytes, end, length);
        int more = cut - end;
        return more > 0
                ? handOver(Arrays.copyOfRange(bytes, end, length), more, length - end)
                : handOver(rest, 0, rest.length);
    }

    /** Returns the rest at the end of the input: a record without a line end; null if there is none. */
    public SourceEvent last() throws SourceException {
        if (skipping) {
            skipping = false;
            return rejected(skippedFrom, position, skippedHead, "longer than " + maxRecord + " bytes");
        }
        if (rest.length == 0) {
            return null;
        }
        lines.finish(rest);
        return handOver(rest, rest.length, rest.length);
    }

    // If there is a line end in the record, a quote was opened and not closed: only the first line is dropped.
    private SourceEvent tooLong(byte[] bytes, int length) {
        int feed = lines.anyEnd(bytes, length);
        byte[] head = Arrays.copyOf(bytes, Math.min(HEAD, length));
        long from = position;
        if (feed < length) {
            rest = Arrays.copyOfRange(bytes, feed + 1, length);
            dropLine(feed + 1);
            return rejected(from, position, head, "its quotes are not closed within " + maxRecord + " bytes");
        }
        skipping = true;
        skippedFrom = from;
        skippedHead = head;
        position += length;
        rest = new byte[0];
        return null;
    }

    // Returns the rejected record once its end is reached.
    private SourceEvent skip(byte[] bytes, int length) {
        int feed = lines.anyEnd(bytes, length);
        if (feed == length) {
            position += length;
            return null;
        }
        rest = Arrays.copyOfRange(bytes, feed + 1, length);
        dropLine(feed + 1);
        skipping = false;
        return rejected(skippedFrom, position, skippedHead, "longer than " + maxRecord + " bytes");
    }

    private SourceEvent rejected(long from, long to, byte[] head, String reason) {
        return new RecordSource.Event.Rejected(partition, from, to, head, reason);
    }
}
