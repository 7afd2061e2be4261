package io.updraft.timeseries.decode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Parses numbers of up to seven characters, such as {@code 12}, {@code -0.5} or {@code 123.25}, in one word and without a loop.
 * {@link Decimal} parses all others. A parsed number is a long: its digits, the count of those behind the point, and the count
 * of characters.
 */
final class ShortNumber {

    /** Not a short number; it may be another one. */
    static final long NONE = -1;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ZEROS = 0x3030303030303030L;
    private static final long LOWS = 0x7f7f7f7f7f7f7f7fL;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long BEYOND_NINE = 0x7676767676767676L;
    private static final int POINT = '.' ^ '0';
    private static final double[] POWERS = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};

    private static final int SCALE = 24;
    private static final int LENGTH = 28;
    private static final int NEGATIVE = 32;
    private static final long DIGITS = (1L << SCALE) - 1;

    private ShortNumber() {}

    /**
     * Parses a number as JSON writes it.
     *
     * @return the number; {@link #NONE} if it is none, is longer, or is too near to the end of the array
     */
    static long parse(byte[] in, int from) {
        if (from + 9 > in.length) {
            return NONE;
        }
        int minus = in[from] == '-' ? 1 : 0;
        long word = (long) LONGS.get(in, from + minus) ^ ZEROS;
        long others = ((word & LOWS) + BEYOND_NINE | word) & HIGHS;
        int first = Long.numberOfTrailingZeros(others) & ~7;
        boolean isPadded = (word & 0xff) == 0 && first > 8;
        if (first == 0 || first == 64 || isPadded) {
            return NONE;
        }
        long sign = (long) minus << NEGATIVE;
        if ((int) (word >>> first & 0xff) != POINT) {
            return sign | (long) ((first >>> 3) + minus) << LENGTH | eight(word << 64 - first);
        }
        int second = Long.numberOfTrailingZeros(others & others - 1) & ~7;
        if (second == 64 || second == first + 8) {
            return NONE;
        }
        long whole = word & (1L << first) - 1;
        long joined = whole | (word >>> 8 & -(1L << first));
        return sign
                | (long) ((second >>> 3) + minus) << LENGTH
                | (long) ((second - first >>> 3) - 1) << SCALE
                | eight(joined << 72 - second);
    }

    /** Returns the number of eight digits, the first one in the lowest byte: joins neighbours, then pairs, then fours. */
    private static long eight(long digits) {
        long pairs = digits * (10 << 8 | 1) >>> 8 & 0x00ff00ff00ff00ffL;
        long fours = pairs * (100 << 16 | 1) >>> 16 & 0x0000ffff0000ffffL;
        return fours * (10_000L << 32 | 1) >>> 32;
    }

    /** Returns the number of characters of a number. */
    static int length(long number) {
        return (int) (number >>> LENGTH) & 15;
    }

    static boolean isWhole(long number) {
        return (number >>> SCALE & 15) == 0;
    }

    static long whole(long number) {
        return number >>> NEGATIVE == 0 ? number & DIGITS : -(number & DIGITS);
    }

    /** Returns the nearest floating-point number: the digits and the power of ten are exact, so that one division rounds once. */
    static double real(long number) {
        double value = (number & DIGITS) / POWERS[(int) (number >>> SCALE) & 7];
        return number >>> NEGATIVE == 0 ? value : -value;
    }
}
