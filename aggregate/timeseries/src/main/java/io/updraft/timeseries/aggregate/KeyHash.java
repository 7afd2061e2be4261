package io.updraft.timeseries.aggregate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Hashes keys, 8 bytes at a time. Each word is mixed by folding a 128-bit product, as in wyhash (Wang Yi, 2019). Not resistant
 * to deliberate collisions.
 */
final class KeyHash {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long SEED = 0xa0761d6478bd642fL;
    private static final long EACH = 0xe7037ed1a0b428dbL;

    private KeyHash() {}

    public static long of(byte[] bytes, int from, int length) {
        long hash = SEED ^ length;
        int at = from;
        int last = from + length - 8;
        for (; at < last; at += 8) {
            hash = mix(hash, (long) LONGS.get(bytes, at));
        }
        return mix(mix(hash, tail(bytes, from, length)), SEED);
    }

    /** Returns the last 8 bytes, some of which may have been hashed already; all bytes if there are fewer than 8. */
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

    static long of(long value) {
        return mix(SEED, value);
    }

    static long mix(long hash, long value) {
        long a = hash ^ value;
        return Math.multiplyHigh(a, EACH) ^ a * EACH;
    }

    public static long of(long first, long second) {
        long a = first ^ SEED;
        long b = second ^ EACH;
        long product = Math.multiplyHigh(a, b) ^ a * b;
        return product ^ product >>> 29;
    }

    static long word(byte[] bytes, int at) {
        return (long) LONGS.get(bytes, at);
    }

    /** Returns fewer than 8 bytes as a word, padded with zeros. May read the bytes that follow, if there are any. */
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

    static boolean same(byte[] bytes, int from, byte[] other, int start, int length) {
        if (length >= 8) {
            return sameLongs(bytes, from, other, start, length);
        }
        if (length >= 4) {
            return (int) INTS.get(bytes, from) == (int) INTS.get(other, start)
                    && (int) INTS.get(bytes, from + length - 4) == (int) INTS.get(other, start + length - 4);
        }
        for (int i = 0; i < length; i++) {
            if (bytes[from + i] != other[start + i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameLongs(byte[] bytes, int from, byte[] other, int start, int length) {
        int last = length - 8;
        for (int i = 0; i < last; i += 8) {
            if ((long) LONGS.get(bytes, from + i) != (long) LONGS.get(other, start + i)) {
                return false;
            }
        }
        return (long) LONGS.get(bytes, from + last) == (long) LONGS.get(other, start + last);
    }
}
