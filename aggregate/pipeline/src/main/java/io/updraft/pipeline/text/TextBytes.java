package io.updraft.pipeline.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks at the bytes of a text 8 at a time (S. Anderson, Bit Twiddling Hacks: "Determine if a word has a byte less than n"). */
public final class TextBytes {

    static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EACH = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private TextBytes() {}

    /** Returns whether a text contains no control character below the blank, and neither of two ASCII characters. */
    public static boolean isPlain(byte[] text, int from, int length, char one, char other) {
        int end = from + length;
        for (int at = from; at < end; at += 8) {
            long word = word(text, at, end - at);
            long withOne = word ^ one * EACH;
            long withOther = word ^ other * EACH;
            long found = word - ' ' * EACH & ~word | withOne - EACH & ~withOne | withOther - EACH & ~withOther;
            if ((found & HIGHS) != 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the next 8 bytes, or all {@code left} bytes and others that no search finds. */
    private static long word(byte[] text, int at, int left) {
        if (at + 8 <= text.length) {
            long word = (long) LONGS.get(text, at);
            return left >= 8 ? word : word | -1L << (left << 3);
        }
        long word = -1L;
        for (int i = Math.min(left, 8); --i >= 0; ) {
            word = word << 8 | text[at + i] & 0xff;
        }
        return word;
    }
}
