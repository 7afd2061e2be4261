package io.updraft.pipeline.source.file;

import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.line.ChunkReader;
import io.updraft.pipeline.line.LineFormat;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads the records of an open file from a position on; a packed file is unpacked. For the thread that reads. */
final class OpenFile implements Closeable {

    private final String unit;
    private final FileChannel channel;
    private final LineFormat format;
    private long from;
    private boolean packed;
    private PackedInput unpacked;
    private ChunkReader chunks;

    /** Creates a reader without reading. Closing it closes the channel. */
    OpenFile(String unit, FileChannel channel, LineFormat format, long from) {
        this.unit = unit;
        this.channel = channel;
        this.format = format;
        this.from = from;
    }

    FileChannel channel() {
        return channel;
    }

    boolean isBegun() {
        return chunks != null;
    }

    boolean isPacked() {
        return packed;
    }

    /**
     * Returns the next records; null if there are no whole ones now.
     *
     * @param grows whether a file that is too short to determine its compression may still grow
     */
    RecordSource.Event next(boolean grows) throws IOException, SourceException {
        boolean ready = (isBegun() || begin(grows)) && (brokenOff() == null || unpacked.resume());
        return ready ? chunks.next() : null;
    }

    private boolean begin(boolean grows) throws IOException {
        byte[] magic = new byte[StreamCompression.MAGIC];
        int length = UnpackedContent.read(channel, 0, magic);
        if (StreamCompression.isOpen(magic, length) && grows && from == 0) {
            return false;
        }
        StreamCompression compression = StreamCompression.of(magic, length);
        if (compression == StreamCompression.NONE) {
            channel.position(from);
            chunks = format.reader(unit, from, (bytes, from, most) -> channel.read(ByteBuffer.wrap(bytes, from, most)));
        } else {
            packed = true;
            unpacked = new PackedInput(channel, compression, from);
            chunks = format.reader(unit, from, unpacked);
        }
        return true;
    }

    RecordSource.Event last() throws SourceException {
        return chunks == null ? null : chunks.last();
    }

    IOException brokenOff() {
        return unpacked == null ? null : unpacked.brokenOff();
    }

    /** Goes back to a position: the bytes read after it are invalid. Nothing more may be read. */
    void goBack(long position) {
        from = position;
        chunks = null;
    }

    long position() {
        return chunks == null ? from : chunks.position();
    }

    long resumeAt() {
        return chunks == null ? from : chunks.resumeAt();
    }

    long bytesRead() throws IOException {
        return packed ? channel.position() : position();
    }

    boolean isShorter(long size) {
        return packed ? unpacked.isCut(size) : size < (chunks == null ? from : chunks.position() + chunks.pending());
    }

    /** Returns whether part of a plain file was read, by this run or an earlier one. */
    boolean isReadPlain() throws IOException {
        return isBegun() ? !packed : from > 0 && StreamCompression.of(channel) == StreamCompression.NONE;
    }

    /** Releases the resources for reading; the position stays available. */
    @Override
    public void close() throws IOException {
        if (unpacked != null) {
            unpacked.close();
        }
        channel.close();
    }
}
