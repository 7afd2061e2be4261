package io.updraft.pipeline.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that is read. The thread that reads; but what is volatile may be looked at by any. */
final class TrackedFile implements AutoCloseable {

    private final Commit begin;
    private volatile FileIdentity identity;
    private final LineFormat format;
    private final boolean followed;
    private Path path;
    private FileChannel channel;
    private PackedInput packed;
    private ChunkReader chunks;
    private volatile long bytesRead;
    private volatile long size;
    private volatile long end = -1;
    private volatile boolean gone;
    private volatile boolean forgotten;

    /** Not opened yet: it is read from a position on. */
    TrackedFile(Beginnings.Beginning beginning, Path path, LineFormat format, boolean followed, long size) {
        begin = beginning.commit();
        identity = beginning.identity();
        this.path = path;
        this.format = format;
        this.followed = followed;
        this.size = size;
    }

    String unit() {
        return begin.unit();
    }

    FileIdentity identity() {
        return identity;
    }

    Path path() {
        return path;
    }

    void renamedTo(Path newPath) {
        path = newPath;
    }

    Source.Event opened() {
        return new Source.Event.Opened(begin);
    }

    boolean isOpen() {
        return channel != null;
    }

    boolean isCompressed() {
        return packed != null;
    }

    void open() throws IOException {
        channel = FileChannel.open(path, StandardOpenOption.READ);
    }

    /** Begins to read, unless too little has come to tell how it is packed; says whether it has begun. */
    private boolean begin() throws IOException {
        byte[] magic = new byte[Compression.MAGIC];
        int length = Math.max(0, channel.read(ByteBuffer.wrap(magic), 0));
        if (Compression.isOpen(magic, length) && followed && !gone && begin.position() == 0) {
            return false;
        }
        Compression compression = Compression.of(magic, length);
        if (compression == Compression.NONE) {
            channel.position(begin.position());
            chunks = reader((bytes, from, most) -> channel.read(ByteBuffer.wrap(bytes, from, most)));
        } else {
            packed = new PackedInput(channel, compression, begin.position());
            chunks = reader(packed);
        }
        return true;
    }

    private ChunkReader reader(ChunkReader.Input input) {
        return new ChunkReader(unit(), begin.position(), input, format.cutter(), format.maxRecord(), headerCheck());
    }

    private ChunkReader.Header headerCheck() {
        return !format.header() || begin.position() > 0 ? null : (bytes, to) -> format.checkHeader(unit(), bytes, to);
    }

    /** The next records; null if there are no whole ones now. */
    Source.Event next() throws IOException, SourceException {
        if (chunks == null && !begin() || brokenOff() != null && !packed.goOn()) {
            return null;
        }
        Source.Event event = chunks.next();
        bytesRead = isCompressed() ? channel.position() : chunks.position();
        if (!isCompressed() && event != null) {
            // Of a file that has just begun there was little to know it by.
            identity = identity.grown(channel);
        }
        return event;
    }

    /** Why a packed file cannot be read on, if it breaks off before its end; null if it does not. */
    IOException brokenOff() {
        return packed == null ? null : packed.brokenOff();
    }

    /** What is left at its end, without a line feed; null if there is nothing. */
    Source.Event last() throws SourceException {
        Source.Event event = chunks == null ? null : chunks.last();
        bytesRead = size;
        return event;
    }

    /** Looks at how long it is; whether it is shorter than what was read of it. */
    boolean wasTruncated() throws IOException {
        size = channel.size();
        if (isCompressed()) {
            return packed.isCut(size);
        }
        return chunks != null && size < chunks.position() + chunks.pending();
    }

    long position() {
        if (end >= 0) {
            return end;
        }
        return chunks == null ? begin.position() : chunks.position();
    }

    void markEnd() throws IOException {
        if (isOpen()) {
            size = channel.size();
        }
        end = position();
    }

    /** Where it ended; -1 before. */
    long end() {
        return end;
    }

    void markGone() {
        gone = true;
    }

    boolean isGone() {
        return gone;
    }

    /** All of it is committed. */
    void markForgotten() {
        forgotten = true;
    }

    /** Whether nothing need be kept of it: it is not there any more, and all of it is committed. */
    boolean isOver() {
        return gone && forgotten;
    }

    long bytesRead() {
        return bytesRead;
    }

    long size() {
        return size;
    }

    @Override
    public void close() {
        if (channel != null) {
            try {
                if (packed != null) {
                    packed.close();
                }
                channel.close();
            } catch (IOException e) {
                // Nothing was written to it, so nothing is lost.
                channel = null;
            }
        }
        if (end >= 0) {
            // Files that have ended may be known for long, and these are large.
            chunks = null;
            packed = null;
        }
    }
}
