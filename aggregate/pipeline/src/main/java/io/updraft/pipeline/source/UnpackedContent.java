package io.updraft.pipeline.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** The unpacked content of a file, for comparisons. Each access to a packed file unpacks it from its start. Not thread-safe. */
final class UnpackedContent implements AutoCloseable {

    private static final int BUFFER = 64 * 1024;

    private final FileChannel channel;
    private final StreamCompression compression;
    private final boolean borrowed;
    private boolean brokenOff;
    private boolean damaged;

    UnpackedContent(Path path) throws IOException {
        this(FileChannel.open(path, StandardOpenOption.READ), false);
    }

    private UnpackedContent(FileChannel channel, boolean borrowed) throws IOException {
        this.channel = channel;
        this.borrowed = borrowed;
        compression = StreamCompression.of(channel);
    }

    /** Returns the first bytes of the content of an open file. The position of the channel stays as it is. */
    static byte[] head(FileChannel channel, int length) throws IOException {
        long position = channel.position();
        try (UnpackedContent content = new UnpackedContent(channel, true)) {
            return content.bytes(0, length);
        } finally {
            channel.position(position);
        }
    }

    /**
     * Returns whether a path has a packed file, or a plain one that holds a mark, which may be null.
     *
     * @param unread whether the file may be of either kind, since only reading determines it
     */
    static boolean isAt(Path path, boolean packed, boolean unread, ContentFingerprint mark) throws IOException {
        try (UnpackedContent there = new UnpackedContent(path)) {
            boolean alike = unread || there.isPacked() == packed;
            return alike && (there.isPacked() || mark == null || there.holds(mark));
        }
    }

    boolean isPacked() {
        return compression != StreamCompression.NONE;
    }

    /** Returns whether the file is too short to determine its compression. */
    boolean isTooShort() throws IOException {
        byte[] magic = new byte[StreamCompression.MAGIC];
        return !isPacked() && StreamCompression.isOpen(magic, read(channel, 0, magic));
    }

    /** Returns whether a file is packed, is too short to tell, or cannot be read. */
    static boolean mayBePacked(Path path) {
        try (UnpackedContent content = new UnpackedContent(path)) {
            return content.isPacked() || content.length() < StreamCompression.MAGIC;
        } catch (IOException e) {
            return true;
        }
    }

    /** Returns whether a file is whole, or can be unpacked beyond a number of bytes. */
    static boolean isReadablePast(Path path, long length) throws IOException {
        try (UnpackedContent content = new UnpackedContent(path)) {
            return content.length() > length || !content.isDamaged();
        }
    }

    boolean isBrokenOff() throws IOException {
        return isPacked() && length() >= 0 && brokenOff;
    }

    private boolean isDamaged() throws IOException {
        return isPacked() && length() >= 0 && damaged;
    }

    /** Returns the number of bytes; for truncated or damaged packed data, those before the truncation or the damage. */
    long length() throws IOException {
        return isPacked() ? pass(Long.MAX_VALUE, null) : channel.size();
    }

    static long length(Path path) throws IOException {
        try (UnpackedContent content = new UnpackedContent(path)) {
            return content.length();
        }
    }

    /** Returns bytes from a position on; fewer at the end of the content. */
    byte[] bytes(long from, int length) throws IOException {
        if (!isPacked()) {
            return bytes(channel, from, length);
        }
        byte[] bytes = new byte[length];
        int count = (int) Math.max(0, pass(from, bytes) - from);
        return Arrays.copyOf(bytes, count);
    }

    static byte[] bytes(Path path, long from, int length) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            return bytes(channel, from, length);
        }
    }

    static byte[] bytes(FileChannel channel, long from, int length) throws IOException {
        byte[] bytes = new byte[length];
        return Arrays.copyOf(bytes, read(channel, from, bytes));
    }

    /** Reads from a position on without moving the position of the channel; returns how many bytes it read. */
    static int read(FileChannel channel, long from, byte[] into) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(into);
        while (buffer.hasRemaining() && channel.read(buffer, from + buffer.position()) > 0) {
            // Repeats until the buffer is full or the file ends.
        }
        return buffer.position();
    }

    /** Skips bytes, then fills {@code into} unless it is null; returns the position reached. */
    private long pass(long over, byte[] into) throws IOException {
        byte[] buffer = new byte[BUFFER];
        long position = 0;
        try (InputStream in = compression.unpack(channel, () -> {})) {
            for (int count = 0; count >= 0 && position < over; position += Math.max(0, count)) {
                count = in.read(buffer, 0, (int) Math.min(buffer.length, over - position));
            }
            for (int count = 0, at = 0; into != null && position == over + at && count >= 0 && at < into.length; ) {
                count = in.read(into, at, into.length - at);
                at += Math.max(0, count);
                position += Math.max(0, count);
            }
        } catch (IOException e) {
            brokenOff = StreamCompression.isBrokenOff(e);
            damaged = StreamCompression.isDamaged(e);
            if (!brokenOff && !damaged) {
                throw e;
            }
        }
        return position;
    }

    boolean beginsAs(ContentFingerprint mark) throws IOException {
        return hashes(bytes(0, mark.head()), mark.head(), mark.headHash());
    }

    /** Returns whether the content has the first bytes of a mark, and the bytes before its position. */
    boolean holds(ContentFingerprint mark) throws IOException {
        return beginsAs(mark) && hashes(bytes(mark.at() - mark.length(), mark.length()), mark.length(), mark.hash());
    }

    private static boolean hashes(byte[] bytes, int length, long hash) {
        return bytes.length == length && ContentFingerprint.hash(bytes, 0, length) == hash;
    }

    @Override
    public void close() throws IOException {
        if (!borrowed) {
            channel.close();
        }
    }
}
