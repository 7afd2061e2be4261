package io.updraft.cluster.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The bytes of the frame that is being read. Each read is checked against the remaining bytes. */
final class FrameInput {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final byte[] NOTHING = {};

    private byte[] bytes = NOTHING;
    private int start;
    private int position;
    private int limit;

    private byte[] copy = NOTHING;

    /** Chars of strings that are not Latin-1. */
    private char[] chars = {};

    /** Starts to read a buffer, from position to limit. The buffer is left unchanged. */
    void wrap(ByteBuffer frame) {
        int length = frame.remaining();
        if (frame.hasArray()) {
            bytes = frame.array();
            start = frame.arrayOffset() + frame.position();
        } else {
            if (copy.length < length) {
                copy = new byte[length];
            }
            frame.get(frame.position(), copy, 0, length);
            bytes = copy;
            start = 0;
        }
        position = start;
        limit = start + length;
    }

    void release() {
        bytes = NOTHING;
        if (copy.length > FrameOutput.MAX_KEPT_BYTES) {
            copy = NOTHING;
        }
        if (chars.length > FrameOutput.MAX_KEPT_BYTES) {
            chars = new char[0];
        }
    }

    byte[] bytes() {
        return bytes;
    }

    /** The position in {@link #bytes}, not in the frame. */
    int position() {
        return position;
    }

    int remaining() {
        return limit - position;
    }

    CodecException malformed(String reason) {
        return new CodecException(position - start, reason);
    }

    void require(int count, String noun) throws CodecException {
        if (count > limit - position) {
            throw malformed(noun + " of " + count + " bytes, but only " + (limit - position) + " are left");
        }
    }

    void skip(int count) {
        position += count;
    }

    int readByte() throws CodecException {
        int at = position;
        if (at >= limit) {
            throw malformed("the frame ends within an item");
        }
        position = at + 1;
        return bytes[at] & 0xFF;
    }

    int readInt() throws CodecException {
        require(Integer.BYTES, "a number");
        int value = (int) INTS.get(bytes, position);
        position += Integer.BYTES;
        return value;
    }

    long readLong() throws CodecException {
        require(Long.BYTES, "a number");
        long value = (long) LONGS.get(bytes, position);
        position += Long.BYTES;
        return value;
    }

    /** Reads a number from 0 to {@link Integer#MAX_VALUE}. */
    int readVarint() throws CodecException {
        int first = readByte();
        if (first < 0x80) {
            return first;
        }
        long value = readRest(first);
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw malformed("a number is out of bounds: " + Long.toUnsignedString(value));
        }
        return (int) value;
    }

    long readVarlong() throws CodecException {
        int first = readByte();
        return first < 0x80 ? first : readRest(first);
    }

    private long readRest(int first) throws CodecException {
        long value = first & 0x7F;
        for (int shift = 7; shift < 64; shift += 7) {
            int next = readByte();
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw malformed("a number of more than 10 bytes");
    }

    long readZigzag() throws CodecException {
        long value = readVarlong();
        return value >>> 1 ^ -(value & 1);
    }

    /** Reads a length, which is at most the number of remaining bytes. */
    int readLength(String noun) throws CodecException {
        int length = readVarint();
        require(length, noun);
        return length;
    }

    byte[] readBytes(int length) throws CodecException {
        require(length, "a byte[]");
        byte[] value = new byte[length];
        System.arraycopy(bytes, position, value, 0, length);
        position += length;
        return value;
    }

    String readLatin1(int length) throws CodecException {
        require(length, "a string");
        String value = new String(bytes, position, length, StandardCharsets.ISO_8859_1);
        position += length;
        return value;
    }

    String readUtf16() throws CodecException {
        int length = readVarint();
        if (length > (limit - position) / 2) {
            throw malformed("a string of " + length + " chars, but only " + (limit - position) + " bytes are left");
        }
        if (chars.length < length) {
            chars = new char[Math.max(64, length)];
        }
        int at = position;
        for (int i = 0; i < length; i++) {
            chars[i] = (char) (bytes[at] & 0xFF | bytes[at + 1] << 8);
            at += 2;
        }
        position = at;
        return new String(chars, 0, length);
    }
}
