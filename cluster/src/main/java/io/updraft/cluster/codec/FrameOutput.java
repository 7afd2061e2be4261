package io.updraft.cluster.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The bytes of the frame that is being written. The caller first ensures room, for several fields at once, and then puts the
 * fields. A put without room throws an {@link ArrayIndexOutOfBoundsException}.
 */
final class FrameOutput {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int INITIAL = 8 * 1024;

    /** A buffer that has grown larger than this is replaced by a small one when its frame has been sent. */
    static final int MAX_KEPT_BYTES = 4 * 1024 * 1024;

    /** Room for bytes that are ensured but not used. Whether the frame is too long is checked after each item. */
    private static final int SLACK = 2 * BatchLayout.MAX_HEAD;

    private final int capacityLimit;
    private byte[] bytes;
    private ByteBuffer view;
    private int position;

    FrameOutput(int maxFrame) {
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

    void rewind(int to) {
        position = to;
    }

    /** The bytes written so far. Valid until more bytes are written. */
    ByteBuffer view() {
        return view.clear().limit(position);
    }

    void clear() {
        position = 0;
        if (bytes.length > MAX_KEPT_BYTES) {
            allocate();
        }
    }

    /** Ensures room for {@code count} bytes; throws {@link FrameFull} when the frame would become too long. */
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

    /** Writes at most five bytes. */
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

    /** Writes at most ten bytes. */
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

    void putBytes(byte[] source, int length) {
        System.arraycopy(source, 0, bytes, position, length);
        position += length;
    }

    /** Writes the lower byte of each char. For a Latin-1 string this copies the string's own bytes. */
    @SuppressWarnings("deprecation") // the method drops the upper bytes, which are zero here
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

    /** Signals that an item does not fit into the frame. There is only one instance, because this is a signal, not an error. */
    static final class FrameFull extends RuntimeException {
        private static final long serialVersionUID = 1L;

        static final FrameFull SIGNAL = new FrameFull();

        private FrameFull() {
            super("the frame is full", null, false, false);
        }
    }
}
