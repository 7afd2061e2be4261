package io.updraft.pipeline.source;

import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** How a stream of bytes is packed; its first bytes tell. */
enum Compression {
    NONE,
    GZIP,
    ZSTD;

    /** How many bytes tell. */
    static final int MAGIC = 4;

    private static final byte[] GZIP_MAGIC = {0x1F, (byte) 0x8B};
    private static final byte[] ZSTD_MAGIC = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD};
    private static final int BUFFER = 64 * 1024;

    /** What begins with these bytes. */
    static Compression of(byte[] head, int length) {
        if (begins(head, length, GZIP_MAGIC)) {
            return GZIP;
        }
        return begins(head, length, ZSTD_MAGIC) ? ZSTD : NONE;
    }

    /** What a file is by its first bytes. The channel's position stays as it is. */
    static Compression of(FileChannel channel) throws IOException {
        byte[] magic = new byte[MAGIC];
        return of(magic, Content.read(channel, 0, magic));
    }

    private static boolean begins(byte[] head, int length, byte[] magic) {
        return length >= magic.length && Arrays.equals(head, 0, magic.length, magic, 0, magic.length);
    }

    /** Whether more bytes may tell that something is packed of which only these have come. */
    static boolean isOpen(byte[] head, int length) {
        if (length >= MAGIC || of(head, length) != NONE) {
            return false;
        }
        return length == 0
                || head[0] == GZIP_MAGIC[0] && length == 1
                || Arrays.equals(head, 0, length, ZSTD_MAGIC, 0, length);
    }

    /** Whether reading has failed for want of more packed bytes. */
    static boolean isBrokenOff(IOException e) {
        return e instanceof EOFException || e instanceof ZstdIOException && "Truncated source".equals(e.getMessage());
    }

    /** The unpacked stream; gzip of several members and Zstandard of several frames are read to their end. */
    InputStream unpack(InputStream in) throws IOException {
        return switch (this) {
            case NONE -> in;
            case GZIP -> new GZIPInputStream(in, BUFFER);
            case ZSTD -> new ZstdInputStream(in);
        };
    }

    /** The unpacked stream of one whose packing is not known yet. */
    static InputStream detect(InputStream in) throws IOException {
        PushbackInputStream back = new PushbackInputStream(in, MAGIC);
        byte[] head = new byte[MAGIC];
        int length = back.readNBytes(head, 0, MAGIC);
        back.unread(head, 0, length);
        return of(head, length).unpack(back);
    }
}
