package io.updraft.pipeline.source;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.zip.GZIPInputStream;

/** How a stream of bytes is packed; its first bytes tell. */
enum Compression {
    NONE,
    GZIP,
    ZSTD;

    /** How many bytes tell. */
    static final int MAGIC = 4;

    private static final int BUFFER = 64 * 1024;

    /** What begins with these bytes. */
    static Compression of(byte[] head, int length) {
        if (length >= 2 && (head[0] & 0xFF) == 0x1F && (head[1] & 0xFF) == 0x8B) {
            return GZIP;
        }
        boolean zstd = length >= 4
                && (head[0] & 0xFF) == 0x28
                && (head[1] & 0xFF) == 0xB5
                && (head[2] & 0xFF) == 0x2F
                && (head[3] & 0xFF) == 0xFD;
        return zstd ? ZSTD : NONE;
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
