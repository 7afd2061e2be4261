package io.updraft.pipeline.text;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing buffer of UTF-8 text. */
public final class Utf8Buffer {

    /** Up to this number of bytes, copying two words is faster than a call. */
    private static final int SHORT = 16;

    private byte[] bytes = new byte[8192];
    private int length;

    public int length() {
        return length;
    }

    public byte[] toArray() {
        return Arrays.copyOf(bytes, length);
    }

    public void clear() {
        length = 0;
    }

    /** Writes the text and clears the buffer, from within a consumer that can throw no checked exception. */
    public void moveTo(OutputStream out) {
        try {
            writeTo(out);
            clear();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void writeTo(OutputStream out) throws IOException {
        out.write(bytes, 0, length);
    }

    public Utf8Buffer add(int ascii) {
        reserve(1)[length++] = (byte) ascii;
        return this;
    }

    public Utf8Buffer add(byte[] utf8, int from, int count) {
        if (count <= SHORT && from + SHORT <= utf8.length) {
            // The bytes behind the text are overwritten by what follows, or never read.
            byte[] to = reserve(SHORT);
            TextBytes.LONGS.set(to, length, (long) TextBytes.LONGS.get(utf8, from));
            TextBytes.LONGS.set(to, length + 8, (long) TextBytes.LONGS.get(utf8, from + 8));
        } else {
            System.arraycopy(utf8, from, reserve(count), length, count);
        }
        length += count;
        return this;
    }

    /** Adds a number as {@link Long#toString(long)} writes it. */
    public Utf8Buffer addNumber(long number) {
        length = NumberText.put(number, reserve(NumberText.MAX_BYTES), length);
        return this;
    }

    /** Adds a number of which the last {@code scale} digits are after the point, up to 18; it has all of them. */
    public Utf8Buffer addDecimal(long unscaled, int scale) {
        length = NumberText.put(unscaled, scale, reserve(NumberText.MAX_BYTES), length);
        return this;
    }

    /** Adds a number as {@link Double#toString(double)} writes it. */
    public Utf8Buffer addNumber(double number) {
        length = NumberText.put(number, reserve(NumberText.MAX_BYTES), length);
        return this;
    }

    public Utf8Buffer add(String text) {
        byte[] to = reserve(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 128) {
                byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
                return add(utf8, 0, utf8.length);
            }
            to[length + i] = (byte) c;
        }
        length += text.length();
        return this;
    }

    private byte[] reserve(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
        }
        return bytes;
    }

    @Override
    public String toString() {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
