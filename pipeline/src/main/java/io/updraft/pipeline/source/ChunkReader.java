package io.updraft.pipeline.source;

import io.updraft.timeseries.record.Chunk;
import java.io.IOException;
import java.util.Arrays;

/** Cuts a stream of bytes into chunks of whole records. One thread. */
final class ChunkReader {

    /** Where bytes come from. */
    @FunctionalInterface
    interface Input {

        /** Reads some bytes: at least one, or -1 if there are none now. */
        int read(byte[] bytes, int from, int length) throws IOException;
    }

    /** Looks at the first line instead of handing it over. */
    @FunctionalInterface
    interface Header {

        /** Looks at the line that goes to an index; it ends with a line feed if it has one. */
        void check(byte[] bytes, int to) throws SourceException;
    }

    /** Bytes of a chunk, if no record is longer. */
    static final int CHUNK = 256 * 1024;

    private static final int HEAD = 1024;
    /** A read of less than a page is all that a pipe had, and it may be long until there is more. */
    private static final int SLOW = 4096;

    private final String unit;
    private final Input input;
    private final RecordCutter cutter;
    private final int maxRecord;
    private Header header;
    private byte[] rest = new byte[0];
    private long position;
    private boolean skipping;
    private byte[] skippedHead;
    private long skippedFrom;

    /** Reads from an input whose next byte has that position; the header may be null. */
    ChunkReader(String unit, long position, Input input, RecordCutter cutter, int maxRecord, Header header) {
        this.unit = unit;
        this.position = position;
        this.input = input;
        this.header = header;
        this.cutter = cutter;
        this.maxRecord = Math.max(maxRecord, CHUNK);
    }

    /** The position of the first byte that was not handed over. */
    long position() {
        return position;
    }

    /** From where another reader of the same bytes has to go on: the start of the first record that was not handed over. */
    long resumeAt() {
        return skipping ? skippedFrom : position;
    }

    /** How many bytes were read and not handed over, as their record is not whole. */
    int pending() {
        return rest.length;
    }

    /**
     * Reads the next chunk.
     *
     * @return it, or that a record is too long; null if there is no whole record now
     */
    Source.Event next() throws IOException, SourceException {
        byte[] bytes = Arrays.copyOf(rest, Math.max(CHUNK, rest.length + CHUNK / 2));
        int length = rest.length;
        while (true) {
            int count = input.read(bytes, length, bytes.length - length);
            length += Math.max(0, count);
            if (skipping) {
                Source.Event bad = count < 0 ? null : skip(bytes, length);
                if (count < 0 || bad != null) {
                    return bad;
                }
                length = 0;
                continue;
            }
            if (length < bytes.length && count >= SLOW) {
                continue;
            }
            int cut = length == rest.length ? 0 : cutter.cut(bytes, length);
            if (cut > 0) {
                return handOver(bytes, cut, length);
            }
            if (length > maxRecord) {
                Source.Event bad = tooLong(bytes, length);
                if (bad != null) {
                    return bad;
                }
                length = 0;
            } else if (count < 0) {
                rest = Arrays.copyOf(bytes, length);
                return null;
            } else if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, bytes.length * 2);
            }
        }
    }

    private Source.Event handOver(byte[] bytes, int cut, int length) throws SourceException {
        if (header != null) {
            return handOverHeader(bytes, cut, length);
        }
        rest = Arrays.copyOfRange(bytes, cut, length);
        Chunk chunk = new Chunk(unit, position, bytes, cut);
        position += cut;
        return new Source.Event.Records(chunk);
    }

    // A chunk without records, whose position says that the header is done.
    private Source.Event handOverHeader(byte[] bytes, int cut, int length) throws SourceException {
        int end = Math.min(RecordCutter.Bytes.indexOf(bytes, 0, cut, (byte) '\n') + 1, cut);
        header.check(bytes, end);
        header = null;
        position += end;
        rest = Arrays.copyOfRange(bytes, end, length);
        int more = cut - end;
        return more > 0
                ? handOver(Arrays.copyOfRange(bytes, end, length), more, length - end)
                : handOver(rest, 0, rest.length);
    }

    /** What is left at the end of the input: a record without a line feed; null if there is nothing. */
    Source.Event last() throws SourceException {
        if (skipping) {
            skipping = false;
            return bad(skippedFrom, position, skippedHead, "longer than " + maxRecord + " bytes");
        }
        if (rest.length == 0) {
            return null;
        }
        return handOver(rest, rest.length, rest.length);
    }

    // With a line feed in it, it is quotes that do not end: only its first line is given up.
    private Source.Event tooLong(byte[] bytes, int length) {
        int feed = RecordCutter.Bytes.indexOf(bytes, 0, length, (byte) '\n');
        byte[] head = Arrays.copyOf(bytes, Math.min(HEAD, length));
        long from = position;
        if (feed < length) {
            rest = Arrays.copyOfRange(bytes, feed + 1, length);
            position += feed + 1L;
            return bad(from, position, head, "its quotes do not end within " + maxRecord + " bytes");
        }
        skipping = true;
        skippedFrom = from;
        skippedHead = head;
        position += length;
        rest = new byte[0];
        return null;
    }

    // Returns the bad record once its end is there.
    private Source.Event skip(byte[] bytes, int length) {
        int feed = RecordCutter.Bytes.indexOf(bytes, 0, length, (byte) '\n');
        if (feed == length) {
            position += length;
            return null;
        }
        rest = Arrays.copyOfRange(bytes, feed + 1, length);
        position += feed + 1L;
        skipping = false;
        return bad(skippedFrom, position, skippedHead, "longer than " + maxRecord + " bytes");
    }

    private Source.Event bad(long from, long to, byte[] head, String reason) {
        return new Source.Event.Bad(unit, from, to, head, reason);
    }
}
