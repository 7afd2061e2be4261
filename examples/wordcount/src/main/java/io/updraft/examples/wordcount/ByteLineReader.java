package io.updraft.examples.wordcount;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads lines of bytes, each byte as one character, in any encoding. Cuts a very long line between two words, so that a file
 * without line ends neither fills the memory nor becomes one huge tuple.
 */
final class ByteLineReader implements Closeable {
    /** The length in bytes after which a line is cut, at the first byte that is not a letter. */
    static final int LONG_LINE = 16 * 1024;

    private final InputStream in;
    private final byte[] buffer = new byte[64 * 1024];
    private int position;
    private int limit;
    private byte[] line = new byte[256];
    private int length;

    ByteLineReader(InputStream in) {
        this.in = in;
    }

    /** {@return the next line without its end, or null at the end of the input} */
    String next() throws IOException {
        length = 0;
        while (fill()) {
            byte b = buffer[position++];
            if (b == '\n' || length >= LONG_LINE && !WordSplitter.isLetter(b)) {
                return text();
            }
            append(b);
        }
        return length == 0 ? null : text();
    }

    private boolean fill() throws IOException {
        if (position == limit) {
            position = 0;
            limit = Math.max(0, in.read(buffer));
        }
        return limit > 0;
    }

    private void append(byte b) {
        if (length == line.length) {
            line = Arrays.copyOf(line, 2 * length);
        }
        line[length++] = b;
    }

    private String text() {
        return new String(line, 0, length, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
