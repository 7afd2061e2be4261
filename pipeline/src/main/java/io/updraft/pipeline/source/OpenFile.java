package io.updraft.pipeline.source;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** The records of a file that is open, from a position on: of a plain one, or of what a packed one holds. The thread that reads. */
final class OpenFile implements Closeable {

    private final String unit;
    private final FileChannel channel;
    private final LineFormat format;
    private long from;
    private boolean packed;
    private PackedInput unpacked;
    private ChunkReader chunks;

    /** Nothing is read yet. Closes the channel in the end. */
    OpenFile(String unit, FileChannel channel, LineFormat format, long from) {
        this.unit = unit;
        this.channel = channel;
        this.format = format;
        this.from = from;
    }

    FileChannel channel() {
        return channel;
    }

    /** Whether the first bytes were looked at, and tell how it is packed. */
    boolean isBegun() {
        return chunks != null;
    }

    /** Whether it has begun, and is packed. */
    boolean isPacked() {
        return packed;
    }

    /**
     * The next records; null if there are no whole ones now.
     *
     * @param grows whether more may come of a file that is too short to tell how it is packed
     */
    Source.Event next(boolean grows) throws IOException, SourceException {
        boolean ready = (isBegun() || begin(grows)) && (brokenOff() == null || unpacked.goOn());
        return ready ? chunks.next() : null;
    }

    private boolean begin(boolean grows) throws IOException {
        byte[] magic = new byte[Compression.MAGIC];
        int length = Content.read(channel, 0, magic);
        if (Compression.isOpen(magic, length) && grows && from == 0) {
            return false;
        }
        Compression compression = Compression.of(magic, length);
        if (compression == Compression.NONE) {
            channel.position(from);
            chunks = reader((bytes, from, most) -> channel.read(ByteBuffer.wrap(bytes, from, most)));
        } else {
            packed = true;
            unpacked = new PackedInput(channel, compression, from);
            chunks = reader(unpacked);
        }
        return true;
    }

    private ChunkReader reader(ChunkReader.Input input) {
        return new ChunkReader(unit, from, input, format.cutter(), format.maxRecord(), headerCheck());
    }

    private ChunkReader.Header headerCheck() {
        return !format.header() || from > 0 ? null : (bytes, to) -> format.checkHeader(unit, bytes, to);
    }

    /** What is left at its end, without a line feed; null if there is nothing. */
    Source.Event last() throws SourceException {
        return chunks == null ? null : chunks.last();
    }

    /** Why a packed file cannot be read on, if it breaks off before its end; null if it does not. */
    IOException brokenOff() {
        return unpacked == null ? null : unpacked.brokenOff();
    }

    /** What was read after a position was not what belongs there. Nothing more is to be read. */
    void goBack(long position) {
        from = position;
        chunks = null;
    }

    /** The position of the first byte that was not handed over. */
    long position() {
        return chunks == null ? from : chunks.position();
    }

    /** From where another file that holds the same has to go on. */
    long resumeAt() {
        return chunks == null ? from : chunks.resumeAt();
    }

    /** How many bytes of the file were read. */
    long bytesRead() throws IOException {
        return packed ? channel.position() : position();
    }

    /** Whether a file of some size is shorter than what was read of it. */
    boolean isShorter(long size) {
        return packed ? unpacked.isCut(size) : size < (chunks == null ? from : chunks.position() + chunks.pending());
    }

    /** Whether some of a plain file was read, by this run or an earlier one. */
    boolean isReadPlain() throws IOException {
        return isBegun() ? !packed : from > 0 && Compression.of(channel) == Compression.NONE;
    }

    /** Gives back what it takes to read on; how far it came stays known. */
    @Override
    public void close() throws IOException {
        if (unpacked != null) {
            unpacked.close();
        }
        channel.close();
    }
}
