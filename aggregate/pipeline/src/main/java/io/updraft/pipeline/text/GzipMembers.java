package io.updraft.pipeline.text;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/**
 * Unpacks all members of a gzip stream (RFC 1952). The JDK's stream ends at a member whenever its input has no bytes available,
 * as a pipe often has not. Skips zeros after a member: tapes and some tools pad with them. Not thread-safe.
 */
public final class GzipMembers extends InputStream {

    /** What to do with bytes after packed data that are none. */
    @FunctionalInterface
    public interface TrailingBytes {
        /** Handles the bytes, which are not read. Throws an {@link IOException} to refuse the data. */
        void found() throws IOException;
    }

    private static final int MAGIC_1 = 0x1F;
    private static final int MAGIC_2 = 0x8B;
    private static final int DEFLATE = 8;
    private static final int HEADER_CHECK = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int BUFFER = 64 * 1024;

    private final InputStream in;
    private final TrailingBytes trailing;
    private final Inflater inflater = new Inflater(true);
    private final CRC32 crc = new CRC32();
    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int length;
    private boolean inMember;
    private boolean begun;
    private boolean ended;
    /** The error behind the bytes that were returned last. */
    private IOException damage;

    public GzipMembers(InputStream in, TrailingBytes trailing) {
        this.in = in;
        this.trailing = trailing;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int from, int most) throws IOException {
        while (most > 0) {
            if (!inMember && !beginMember()) {
                return -1;
            }
            int count = inflate(bytes, from, most);
            if (count > 0) {
                crc.update(bytes, from, count);
                return count;
            }
            if (inflater.finished()) {
                endMember();
            } else if (inflater.needsDictionary()) {
                throw new ZipException("the gzip data needs a dictionary");
            } else {
                required();
                at--;
                inflater.setInput(buffer, at, length - at);
                at = length;
            }
        }
        return 0;
    }

    private int inflate(byte[] bytes, int from, int most) throws IOException {
        if (damage != null) {
            throw damage;
        }
        long before = inflater.getBytesWritten();
        try {
            return inflater.inflate(bytes, from, most);
        } catch (DataFormatException e) {
            damage = (IOException) new ZipException("the gzip data is damaged: " + e.getMessage()).initCause(e);
        }
        // The bytes before the damage are unpacked, whatever the size of the buffer.
        int count = (int) (inflater.getBytesWritten() - before);
        if (count == 0) {
            throw damage;
        }
        return count;
    }

    /** Reads the header of the next member; returns false if there is none. */
    private boolean beginMember() throws IOException {
        int first = ended ? -1 : next();
        while (begun && first == 0) {
            first = next();
        }
        if (first < 0 && begun) {
            ended = true;
            return false;
        }
        if (first != MAGIC_1 || required() != MAGIC_2) {
            ended = true;
            if (!begun) {
                throw new ZipException("not gzip data");
            }
            trailing.found();
            return false;
        }
        skipHeader();
        inflater.reset();
        crc.reset();
        inflater.setInput(buffer, at, length - at);
        at = length;
        begun = true;
        inMember = true;
        return true;
    }

    private void skipHeader() throws IOException {
        if (required() != DEFLATE) {
            throw new ZipException("the gzip data has an unknown method of compression");
        }
        int flags = required();
        skip(6);
        if ((flags & EXTRA) != 0) {
            skip((int) number(2));
        }
        skipText((flags & NAME) != 0);
        skipText((flags & COMMENT) != 0);
        skip((flags & HEADER_CHECK) != 0 ? 2 : 0);
    }

    private void skip(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            required();
        }
    }

    private void skipText(boolean given) throws IOException {
        while (given && required() != 0) {
            // Repeats until the end of the text.
        }
    }

    private void endMember() throws IOException {
        at = length - inflater.getRemaining();
        if (number(4) != crc.getValue() || number(4) != (inflater.getBytesWritten() & 0xFFFFFFFFL)) {
            throw new ZipException("the gzip data is damaged: its check sum differs");
        }
        inMember = false;
    }

    private long number(int bytes) throws IOException {
        long number = 0;
        for (int i = 0; i < bytes; i++) {
            number |= (long) required() << 8 * i;
        }
        return number;
    }

    private int required() throws IOException {
        int next = next();
        if (next < 0) {
            throw new EOFException("the gzip data is truncated");
        }
        return next;
    }

    private int next() throws IOException {
        if (at == length) {
            length = Math.max(0, in.read(buffer));
            at = 0;
        }
        return at == length ? -1 : buffer[at++] & 0xFF;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        in.close();
    }
}
