package io.updraft.cluster.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The bytes of the frame that is being written. The caller makes sure of room, for several fields at once, and puts; putting
 * without room ends in an {@link ArrayIndexOutOfBoundsException}.
 */
final class FrameWriter {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int INITIAL = 8 * 1024;

    /** A buffer that has grown beyond this is given back when its frame has been sent. */
    static final int KEEP_AT_MOST = 4 * 1024 * 1024;

    /** Room for what is asked for but not used; whether the frame is too long is checked after each item. */
    private static final int SLACK = 2 * Layout.MOST_HEAD;

    private final int capacityLimit;
    private byte[] bytes;
    private ByteBuffer view;
    private int position;

    FrameWriter(int maxFrame) {
        capacityLimit = maxFrame + SLACK;
        allocate();
    }

    private void allocate() {
        bytes = new byte[Math.min(INITIAL, capacityLimit)];
        view = ByteBuffer.wrap(bytes);
    }

    int position() {
        return position;
    }

    /** Takes back what was written from there on. */
    void rewind(int to) {
        position = to;
    }

    /** The bytes so far. Valid until more are written. */
    ByteBuffer view() {
        return view.clear().limit(position);
    }

    void clear() {
        position = 0;
        if (bytes.length > KEEP_AT_MOST) {
            allocate();
        }
    }

    /**
     * Makes sure of room.
     *
     * @throws FrameFull when the frame would become too long
     */
    void ensure(int count) {
        if (count > bytes.length - position) {
            grow(count);
        }
    }

    private void grow(int count) {
        long needed = (long) position + count;
        if (needed > capacityLimit) {
            throw FrameFull.SIGNAL;
        }
        bytes = Arrays.copyOf(bytes, (int) Math.min(capacityLimit, Math.max(needed, bytes.length * 2L)));
        view = ByteBuffer.wrap(bytes);
    }

    void putByte(int value) {
        bytes[position++] = (byte) value;
    }

    void setByte(int at, int value) {
        bytes[at] = (byte) value;
    }

    void putInt(int value) {
        INTS.set(bytes, position, value);
        position += Integer.BYTES;
    }

    void putLong(long value) {
        LONGS.set(bytes, position, value);
        position += Long.BYTES;
    }

    /** Five bytes at the most. */
    void putVarint(int value) {
        int rest = value;
        int at = position;
        while ((rest & ~0x7F) != 0) {
            bytes[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[at++] = (byte) rest;
        position = at;
    }

    /** Ten bytes at the most. */
    void putVarlong(long value) {
        long rest = value;
        int at = position;
        while ((rest & ~0x7FL) != 0) {
            bytes[at++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[at++] = (byte) rest;
        position = at;
    }

    void putZigzag(long value) {
        putVarlong(value << 1 ^ value >> 63);
    }

    void putBytes(byte[] from, int length) {
        System.arraycopy(from, 0, bytes, position, length);
        position += length;
    }

    /** The lower byte of each char: a copy of the string's own bytes, if it holds bytes. */
    @SuppressWarnings("deprecation") // of the method, because it drops the upper bytes; here they are zero
    void putLatin1(String text, int length) {
        text.getBytes(0, length, bytes, position);
        position += length;
    }

    void putUtf16(String text, int length) {
        int at = position;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            bytes[at++] = (byte) c;
            bytes[at++] = (byte) (c >>> 8);
        }
        position = at;
    }
}
