package io.updraft.timeseries.decode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The bytes before each of some values of a record, and after the last one. Compares 8 bytes at a time. Immutable. */
final class JsonLiterals {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** All literals, each padded to whole words. */
    private final long[] words;

    private final int[] firsts;
    private final int[] lengths;

    /**
     * Copies literals from a record.
     *
     * @param from the start of the first literal
     * @param starts the index of each value
     * @param ends the index after each value
     * @param end the end of the last literal
     */
    JsonLiterals(byte[] in, int from, int[] starts, int[] ends, int end) {
        int count = starts.length;
        firsts = new int[count + 1];
        lengths = new int[count + 1];
        long[] all = new long[(end - from >> 3) + 2 * count + 2];
        int used = 0;
        int at = from;
        for (int i = 0; i <= count; i++) {
            int to = i < count ? starts[i] : end;
            firsts[i] = used;
            lengths[i] = to - at;
            byte[] padded = Arrays.copyOf(Arrays.copyOfRange(in, at, to), (to - at | 7) + 1);
            for (int word = 0; word < padded.length; word += 8) {
                all[used++] = (long) LONGS.get(padded, word);
            }
            at = i < count ? ends[i] : end;
        }
        words = Arrays.copyOf(all, used);
    }

    boolean isSame(JsonLiterals other) {
        return Arrays.equals(words, other.words) && Arrays.equals(lengths, other.lengths);
    }

    int length(int i) {
        return lengths[i];
    }

    /** Returns whether a literal is at an index. False too if fewer than 8 bytes follow. */
    boolean is(int i, byte[] in, int at) {
        int length = lengths[i];
        if (at + length + 8 > in.length) {
            return false;
        }
        int word = firsts[i];
        int k = 0;
        for (; k <= length - 8; k += 8) {
            if ((long) LONGS.get(in, at + k) != words[word++]) {
                return false;
            }
        }
        int rest = length - k;
        return rest == 0 || ((long) LONGS.get(in, at + k) ^ words[word]) << 64 - (rest << 3) == 0;
    }
}
