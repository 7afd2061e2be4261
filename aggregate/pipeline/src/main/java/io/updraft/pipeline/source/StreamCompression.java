package io.updraft.pipeline.source;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import io.updraft.kafka.reader.NativeLibraries;
import io.updraft.pipeline.text.GzipMembers;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.zip.ZipException;

/** The compression of a stream, which its first bytes determine. */
enum StreamCompression {
    NONE,
    GZIP,
    ZSTD;

    /** How many bytes determine the compression. */
    static final int MAGIC = 4;

    private static final byte[] GZIP_MAGIC = {0x1F, (byte) 0x8B};
    private static final byte[] ZSTD_MAGIC = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD};
    /** The second to fourth byte of a frame that Zstandard skips; the first is 0x50 to 0x5F. */
    private static final byte[] SKIPPED_MAGIC = {0x2A, 0x4D, 0x18};

    static StreamCompression of(byte[] head, int length) {
        if (begins(head, length, GZIP_MAGIC)) {
            return GZIP;
        }
        return begins(head, length, ZSTD_MAGIC) || length == MAGIC && mayBeSkipped(head, length) ? ZSTD : NONE;
    }

    /** Returns the compression of a file. The position of the channel stays as it is. */
    static StreamCompression of(FileChannel channel) throws IOException {
        byte[] magic = new byte[MAGIC];
        return of(magic, UnpackedContent.read(channel, 0, magic));
    }

    private static boolean begins(byte[] head, int length, byte[] magic) {
        return length >= magic.length && Arrays.equals(head, 0, magic.length, magic, 0, magic.length);
    }

    private static boolean mayBeSkipped(byte[] head, int length) {
        return (head[0] & 0xF0) == 0x50 && Arrays.equals(head, 1, length, SKIPPED_MAGIC, 0, length - 1);
    }

    /** Returns whether these bytes are too few to determine the compression. */
    static boolean isOpen(byte[] head, int length) {
        if (length >= MAGIC || of(head, length) != NONE) {
            return false;
        }
        return length == 0
                || head[0] == GZIP_MAGIC[0] && length == 1
                || mayBeSkipped(head, length)
                || Arrays.equals(head, 0, length, ZSTD_MAGIC, 0, length);
    }

    public static boolean isBrokenOff(IOException e) {
        return e instanceof EOFException || e instanceof ZstdIOException && "Truncated source".equals(e.getMessage());
    }

    /** Returns whether the packed data itself is wrong, so that reading it again would fail at the same byte. */
    public static boolean isDamaged(IOException e) {
        return e instanceof ZipException || e instanceof ZstdIOException && !isBrokenOff(e);
    }

    /** Returns the unpacked stream. It covers all members of a gzip stream and all frames of a Zstandard stream. */
    public InputStream unpack(InputStream in, GzipMembers.TrailingBytes trailing) throws IOException {
        return switch (this) {
            case NONE -> in;
            case GZIP -> new GzipMembers(in, trailing);
            case ZSTD -> zstd(in);
        };
    }

    private static InputStream zstd(InputStream in) throws IOException {
        try {
            return new ZstdInputStream(in);
        } catch (LinkageError e) {
            throw new IOException("Zstandard data cannot be read: " + NativeLibraries.reason(e), e);
        }
    }

    /** Returns the unpacked content of a file from its start. Closing the stream leaves the channel open. */
    InputStream unpack(FileChannel channel, GzipMembers.TrailingBytes trailing) throws IOException {
        channel.position(0);
        InputStream open = new FilterInputStream(Channels.newInputStream(channel)) {
            @Override
            public void close() {
                // Leaves the channel open.
            }
        };
        return unpack(open, trailing);
    }

    /** Returns the unpacked stream, whose first bytes determine the compression. */
    public static InputStream detect(InputStream in, GzipMembers.TrailingBytes trailing) throws IOException {
        PushbackInputStream back = new PushbackInputStream(in, MAGIC);
        byte[] head = new byte[MAGIC];
        int length = back.readNBytes(head, 0, MAGIC);
        back.unread(head, 0, length);
        return of(head, length).unpack(back, trailing);
    }
}
