package io.updraft.pipeline.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that is read. The thread that reads; but what is volatile may be looked at by any. */
final class TrackedFile implements AutoCloseable {

    private final FileIdentity identity;
    private final LineFormat format;
    private final Commit begin;
    private Path path;
    private FileChannel channel;
    private Compression compression = Compression.NONE;
    private ChunkReader chunks;
    private volatile long bytesRead;
    private volatile long size;
    private volatile long end = -1;
    private volatile boolean gone;

    /** Not opened yet: it is read from a position on. */
    TrackedFile(Commit begin, Path path, FileIdentity identity, LineFormat format, long size) {
        this.begin = begin;
        this.path = path;
        this.identity = identity;
        this.format = format;
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
        return compression != Compression.NONE;
    }

    void open() throws IOException, SourceException {
        channel = FileChannel.open(path, StandardOpenOption.READ);
        byte[] magic = new byte[Compression.MAGIC];
        int length = Math.max(0, channel.read(ByteBuffer.wrap(magic), 0));
        compression = Compression.of(magic, length);
        if (isCompressed()) {
            InputStream in = compression.unpack(Channels.newInputStream(channel));
            in.skipNBytes(begin.position());
            chunks = reader(begin.position(), (bytes, from, most) -> {
                int count = in.readNBytes(bytes, from, most);
                return count == 0 ? -1 : count;
            });
        } else {
            channel.position(begin.position());
            chunks = reader(begin.position(), (bytes, from, most) -> channel.read(ByteBuffer.wrap(bytes, from, most)));
        }
    }

    private ChunkReader reader(long position, ChunkReader.Input input) {
        return new ChunkReader(unit(), position, input, format.cutter(), format.maxRecord(), headerCheck(position));
    }

    private ChunkReader.Header headerCheck(long position) {
        return !format.header() || position > 0 ? null : (bytes, to) -> format.checkHeader(unit(), bytes, to);
    }

    /** The next records; null if there are no whole ones now. */
    Source.Event next() throws IOException, SourceException {
        Source.Event event = chunks.next();
        bytesRead = isCompressed() ? channel.position() : chunks.position();
        return event;
    }

    /** What is left at its end, without a line feed; null if there is nothing. */
    Source.Event last() throws SourceException {
        Source.Event event = chunks.last();
        bytesRead = size;
        return event;
    }

    /** Looks at how long it is; whether it is shorter than what was read of it. */
    boolean wasTruncated() throws IOException {
        size = channel.size();
        return !isCompressed() && size < chunks.position() + chunks.pending();
    }

    long position() {
        return chunks == null ? begin.position() : chunks.position();
    }

    void markEnd() {
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
                channel.close();
            } catch (IOException e) {
                // Nothing was written to it, so nothing is lost.
                channel = null;
            }
        }
    }
}
