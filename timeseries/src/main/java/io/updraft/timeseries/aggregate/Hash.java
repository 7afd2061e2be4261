package io.updraft.timeseries.aggregate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hash of keys: 8 bytes at a time, each mixed by the two halves of a 128-bit product, as in wyhash (Wang Yi, 2019). Not
 * meant to withstand somebody who looks for collisions.
 */
final class Hash {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long SEED = 0xa0761d6478bd642fL;
    private static final long EACH = 0xe7037ed1a0b428dbL;

    private Hash() {}

    /** The hash of some bytes. */
    static long of(byte[] bytes, int from, int length) {
        long hash = SEED ^ length;
        int at = from;
        int last = from + length - 8;
        for (; at < last; at += 8) {
            hash = mix(hash, (long) LONGS.get(bytes, at));
        }
        return mix(mix(hash, tail(bytes, from, length)), SEED);
    }

    /** The last 8 bytes, some of which may have been taken already; all if there are no 8. */
    private static long tail(byte[] bytes, int from, int length) {
        int end = from + length;
        if (length >= 8) {
            return (long) LONGS.get(bytes, end - 8);
        }
        if (length >= 4) {
            return (long) (int) INTS.get(bytes, from) << 32 | (int) INTS.get(bytes, end - 4) & 0xffffffffL;
        }
        return length == 0 ? 0 : bytes[from] & 255 | (bytes[from + (length >> 1)] & 255) << 8 | bytes[end - 1] << 16;
    }

    /** The hash of a number. */
    static long of(long value) {
        return mix(SEED, value);
    }

    /** A hash that depends on another one and on a number. */
    static long mix(long hash, long value) {
        long a = hash ^ value;
        return Math.multiplyHigh(a, EACH) ^ a * EACH;
    }

    /** The hash of two words. */
    static long of(long first, long second) {
        long a = first ^ SEED;
        long b = second ^ EACH;
        long product = Math.multiplyHigh(a, b) ^ a * b;
        return product ^ product >>> 29;
    }

    /** The 8 bytes from a place on. */
    static long word(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    /** Fewer than 8 bytes as a word, with zeros for those that are missing; reads what follows them, if it is there. */
    static long word(byte[] bytes, int from, int length) {
        if (from + 8 <= bytes.length) {
            return (long) LONGS.get(bytes, from) & ~(-1L << (length << 3));
        }
        long word = 0;
        for (int i = length; --i >= 0; ) {
            word = word << 8 | bytes[from + i] & 255;
        }
        return word;
    }

    static void put(byte[] bytes, int at, long word) {
        LONGS.set(bytes, at, word);
    }

    static int readInt(byte[] bytes, int at) {
        return (int) INTS.get(bytes, at);
    }

    static void putInt(byte[] bytes, int at, int value) {
        INTS.set(bytes, at, value);
    }

    /** Whether two stretches of the same length hold the same bytes. */
    static boolean same(byte[] one, int from, byte[] other, int start, int length) {
        if (length >= 8) {
            return sameLongs(one, from, other, start, length);
        }
        if (length >= 4) {
            return (int) INTS.get(one, from) == (int) INTS.get(other, start)
                    && (int) INTS.get(one, from + length - 4) == (int) INTS.get(other, start + length - 4);
        }
        for (int i = 0; i < length; i++) {
            if (one[from + i] != other[start + i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameLongs(byte[] one, int from, byte[] other, int start, int length) {
        int last = length - 8;
        for (int i = 0; i < last; i += 8) {
            if ((long) LONGS.get(one, from + i) != (long) LONGS.get(other, start + i)) {
                return false;
            }
        }
        return (long) LONGS.get(one, from + last) == (long) LONGS.get(other, start + last);
    }
}
