package io.updraft.pipeline.source;

import io.updraft.base.record.SourceEvent;
import io.updraft.pipeline.connector.SourceException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the records of an open file from a position on; a packed file is unpacked. For the thread that reads. */
final class OpenFile implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(OpenFile.class);

    private final String partition;
    /** The channel; null while the file is suspended. */
    FileChannel channel;

    /** The identity of the file that is open: not that of a copy in which reading continues later. */
    private FileIdentity identity;

    private final LineFormat format;
    private long from;
    /** The number of the line at {@link #from}; 0 if it is unknown. */
    private long line;

    private boolean packed;
    private PackedInput unpacked;
    private ChunkReader chunks;
    /** The size up to which all whole records were handed over; -1 if there may be more. */
    private long handedOver = -1;
    /** Of a suspended file: the position of its channel, the mark of its content, and whether there was more to read. */
    private long suspendedAt;

    private ContentFingerprint suspendedWhole;

    private boolean suspendedDue;

    private boolean suspendedPacked;

    /**
     * Creates a reader without reading. Closing it closes the channel.
     *
     * @param line the number of the line at the position; 0 if it is unknown
     */
    OpenFile(String partition, FileChannel channel, FileIdentity identity, LineFormat format, long from, long line) {
        this.partition = partition;
        this.channel = channel;
        this.identity = identity;
        this.format = format;
        this.from = from;
        this.line = line;
    }

    boolean isBegun() {
        return chunks != null;
    }

    boolean isPacked() {
        return packed || suspendedPacked;
    }

    boolean isOpen() {
        return channel != null;
    }

    /** Returns whether there may be more to read; for a suspended file, whether there was. */
    boolean isDue() throws IOException {
        if (!isOpen()) {
            return suspendedDue;
        }
        return brokenOff() == null ? channel.size() != handedOver : unpacked.hasGrown();
    }

    /** Closes the channel; all else stays. Returns false if another channel would have to unpack the data from its start. */
    boolean suspend(String key) throws IOException {
        if (packed && brokenOff() == null) {
            return false;
        }
        suspendedDue = isDue();
        suspendedWhole = whole(key);
        suspendedPacked = !isPlain();
        identity = identity.grown(channel);
        suspendedAt = channel.position();
        release(channel);
        channel = null;
        return true;
    }

    /** Goes on with a new channel. Returns false if the path has another key: it belongs to another file. */
    boolean wake(Path path, String key) throws IOException {
        FileChannel opened = FileChannel.open(path, StandardOpenOption.READ);
        if (!key.equals(FileIdentity.key(path))) {
            release(opened);
            return false;
        }
        opened.position(suspendedAt);
        channel = opened;
        if (unpacked != null) {
            unpacked.channel = opened;
        }
        return true;
    }

    /** Returns the mark at the position if it is in a plain file, else null. */
    ContentFingerprint endMark() throws IOException {
        long at = position();
        if (!isOpen()) {
            return isBegun() && suspendedWhole != null && suspendedWhole.at() == at ? suspendedWhole : null;
        }
        boolean valid = at > 0 && isReadPlain() && channel.size() >= at;
        return valid ? mark() : null;
    }

    ContentFingerprint mark() throws IOException {
        identity = identity.grown(channel);
        return ContentFingerprint.of(identity, channel, position());
    }

    /** Returns an identity over as many first bytes as this file has; the identity of another file as it is. */
    FileIdentity grown(FileIdentity other) {
        return identity.key().equals(other.key()) ? identity : other;
    }

    /** Returns a mark of the whole file if it is plain and not empty, else null; for a suspended file, as it was. */
    ContentFingerprint whole(String key) throws IOException {
        if (!isOpen()) {
            return suspendedWhole;
        }
        long length = channel.size();
        boolean valid = isPlain() && length > 0 && length >= position();
        return valid ? ContentFingerprint.ofWhole(key, channel) : null;
    }

    /**
     * Returns the next records; null if there are no whole ones now.
     *
     * @param grows whether a file that is too short to determine its compression may still grow
     */
    SourceEvent next(boolean grows) throws IOException, SourceException {
        if (grows && !isDue()) {
            return null;
        }
        long size = channel.size();
        boolean ready = (isBegun() || begin(grows)) && (brokenOff() == null || unpacked.resume());
        SourceEvent event = ready ? chunks.next() : null;
        boolean complete = event == null || !packed && size == chunks.position() + chunks.pending();
        handedOver = complete ? size : -1;
        return event;
    }

    private boolean begin(boolean grows) throws IOException {
        byte[] magic = new byte[StreamCompression.MAGIC];
        int length = UnpackedContent.read(channel, 0, magic);
        if (StreamCompression.isOpen(magic, length) && grows && from == 0) {
            return false;
        }
        StreamCompression compression = StreamCompression.of(magic, length);
        if (compression == StreamCompression.NONE) {
            ChunkReader.Input plain = (bytes, at, most) -> channel.read(ByteBuffer.wrap(bytes, at, most));
            if (format.numbered() && line == 0) {
                channel.position(0);
                line = 1 + format.lines(plain, from);
            }
            channel.position(from);
            chunks = format.reader(partition, from, plain, () -> line);
        } else {
            unpacked = new PackedInput(partition, channel, compression, format, from);
            packed = true;
            chunks = format.reader(partition, from, unpacked, () -> 1 + unpacked.linesBefore);
        }
        return true;
    }

    SourceEvent last() throws SourceException {
        // The line where packed data ends too early lacks its end.
        return chunks == null || brokenOff() != null || damage() != null ? null : chunks.last();
    }

    /** Returns the error of damaged packed data; null if no damage was found. */
    IOException damage() {
        return unpacked == null ? null : unpacked.damage;
    }

    /** Returns how many bytes of the content can be unpacked before the damage. */
    long readable() {
        return unpacked.position;
    }

    IOException brokenOff() {
        return unpacked == null ? null : unpacked.brokenOff();
    }

    /** Goes back to a position, and the number of its line: the bytes read after it are invalid, or could not be used. */
    void goBack(long position, long lineThere) {
        from = position;
        line = lineThere;
        chunks = null;
        handedOver = -1;
        release(unpacked);
    }

    boolean hasPartOfRecord() {
        return chunks != null && chunks.pending() > 0;
    }

    long position() {
        return chunks == null ? from : chunks.position();
    }

    long resumeAt() {
        return chunks == null ? from : chunks.resumeAt();
    }

    /** Returns the number of the line at {@link #resumeAt}; 0 if it is unknown. */
    long resumeLine() {
        return chunks == null ? line : chunks.resumeLine();
    }

    long bytesRead() throws IOException {
        return packed ? channel.position() : position();
    }

    boolean isShorter(long size) {
        return packed ? unpacked.isCut(size) : size < (chunks == null ? from : chunks.position() + chunks.pending());
    }

    /** Returns whether a plain file is too short, or no longer has the bytes that were read. */
    boolean isRewritten(long size, FingerprintHistory marks) throws IOException {
        return isReadPlain() && (isShorter(size) || !holds(marks));
    }

    /** Returns whether the open file still has the bytes that were read. */
    boolean holds(FingerprintHistory marks) throws IOException {
        return marks.areIn(channel, identity);
    }

    /** Returns whether part of a plain file was read, by this run or an earlier one. */
    boolean isReadPlain() throws IOException {
        return (isBegun() || from > 0) && isPlain();
    }

    private boolean isPlain() throws IOException {
        return isBegun() ? !packed : StreamCompression.of(channel) == StreamCompression.NONE;
    }

    static void release(Closeable closed) {
        try {
            if (closed != null) {
                closed.close();
            }
        } catch (IOException e) {
            // The channel was only read, so no data is lost.
        }
    }

    /** Releases the resources for reading; the position stays available. */
    @Override
    public void close() throws IOException {
        if (unpacked != null) {
            unpacked.close();
        }
        release(channel);
    }

    /**
     * The unpacked content of a packed file. Where packed data is truncated, reading can continue once the file has grown: the file
     * is unpacked from its start again, and the part that was read is skipped. Not thread-safe.
     */
    private static final class PackedInput implements ChunkReader.Input, Closeable {

        /** After an attempt to continue, the pause lasts this many times as long as the attempt took. */
        private static final long PAUSES = 10;

        private final String partition;
        private FileChannel channel;
        private final StreamCompression compression;
        private final LineFormat format;
        private InputStream in;
        /** The lines before the position at which reading began; only if lines are numbered. */
        private long linesBefore;

        private long position;
        private long tried;
        private long notBefore = System.nanoTime();
        private IOException brokenOff;
        private IOException damage;

        PackedInput(
                String partition, FileChannel channel, StreamCompression compression, LineFormat format, long position)
                throws IOException {
            this.partition = partition;
            this.channel = channel;
            this.compression = compression;
            this.format = format;
            this.position = position;
            begin();
        }

        private void begin() throws IOException {
            tried = channel.size();
            brokenOff = null;
            try {
                // Closing the stream releases its memory, but leaves the channel open.
                in = compression.unpack(
                        channel,
                        () -> LOG.warn(
                                "{}: the bytes after the packed data are not packed; they are ignored", partition));
                passOver(position);
            } catch (IOException e) {
                breakOff(e);
            }
        }

        // A copy made while the file was written may hold less than was read; then it has nothing more to read.
        private void passOver(long bytes) throws IOException {
            if (format.numbered()) {
                linesBefore = format.lines(in::read, bytes);
                return;
            }
            byte[] buffer = new byte[64 * 1024];
            long left = bytes;
            for (int count = 0; count >= 0 && left > 0; left -= Math.max(0, count)) {
                count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            }
        }

        private void breakOff(IOException e) throws IOException {
            if (StreamCompression.isDamaged(e)) {
                damage = e;
            } else if (StreamCompression.isBrokenOff(e)) {
                brokenOff = e;
            } else {
                throw e;
            }
            close();
        }

        @Override
        public int read(byte[] bytes, int from, int most) throws IOException {
            int length = 0;
            try {
                while (length < most && brokenOff == null && damage == null) {
                    int count = in.read(bytes, from + length, most - length);
                    if (count < 0) {
                        break;
                    }
                    length += count;
                }
            } catch (IOException e) {
                breakOff(e);
            }
            position += length;
            return length == 0 ? -1 : length;
        }

        /** Returns the error of truncated packed data; null if the data is not truncated. */
        IOException brokenOff() {
            return brokenOff;
        }

        /** Returns whether a size is smaller than the part of the file that was read. */
        boolean isCut(long size) {
            return size < tried;
        }

        boolean hasGrown() throws IOException {
            return channel.size() > tried;
        }

        /** Continues if the file has grown and the pause after the last attempt is over. Returns whether it does. */
        boolean resume() throws IOException {
            long now = System.nanoTime();
            if (!hasGrown() || now < notBefore) {
                return false;
            }
            begin();
            notBefore = System.nanoTime() + PAUSES * (System.nanoTime() - now);
            return brokenOff == null;
        }

        @Override
        public void close() throws IOException {
            if (in != null) {
                in.close();
            }
        }
    }
}
