package io.updraft.timeseries.decode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Parses numbers of up to seven characters after the sign, such as {@code 12}, {@code -0.5} or {@code 123.25}, in one word and
 * without a loop. {@link Decimal} parses all others. The shape of a number, which says where it ends, is found before its value, so
 * that a processor can go on with what follows while it computes the value.
 */
final class ShortNumber {

    /** Not a short number; it may be another one. */
    static final int NONE = -1;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ZEROS = 0x3030303030303030L;
    private static final long LOWS = 0x7f7f7f7f7f7f7f7fL;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long BEYOND_NINE = 0x7676767676767676L;
    private static final int POINT = '.' ^ '0';
    private static final double[] POWERS = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};

    /** In a shape: the bits before the point or the end, the bits before the end, and whether there is a sign. */
    private static final int END = 8;

    private static final int NEGATIVE = 16;
    private static final int BITS = 0xff;

    private ShortNumber() {}

    /**
     * Finds the shape of a number as JSON writes it.
     *
     * @return the shape; {@link #NONE} if there is no number, or a longer one, or it is too near to the end of the array
     */
    static int shape(byte[] in, int from) {
        if (from + 9 > in.length) {
            return NONE;
        }
        int minus = minus(in, from);
        return shape(word(in, from + minus), minus);
    }

    private static int minus(byte[] in, int from) {
        return in[from] == '-' ? 1 : 0;
    }

    private static int shape(long word, int minus) {
        long others = ((word & LOWS) + BEYOND_NINE | word) & HIGHS;
        int first = Long.numberOfTrailingZeros(others) & ~7;
        boolean isPadded = (word & 0xff) == 0 && first > 8;
        if (first == 0 || first == 64 || isPadded) {
            return NONE;
        }
        if ((int) (word >>> first & 0xff) != POINT) {
            return minus << NEGATIVE | first << END | first;
        }
        int second = Long.numberOfTrailingZeros(others & others - 1) & ~7;
        return second == 64 || second == first + 8 ? NONE : minus << NEGATIVE | second << END | first;
    }

    /**
     * Puts a number into a column of a block.
     *
     * @param real whether the column has floating-point numbers, as bits, or whole ones
     * @return the number of characters; {@link #NONE}, and puts nothing, if there is no short number of the column
     */
    static int put(byte[] in, int from, boolean real, long[] values, int row) {
        if (from + 9 > in.length) {
            return NONE;
        }
        int minus = minus(in, from);
        long word = word(in, from + minus);
        int shape = shape(word, minus);
        if (shape < 0 || !real && !isWhole(shape)) {
            return NONE;
        }
        values[row] = real ? Double.doubleToRawLongBits(real(word, shape)) : whole(word, shape);
        return length(shape);
    }

    /** Returns the number of characters of a number. */
    static int length(int shape) {
        return (shape >>> END + 3 & BITS >>> 3) + (shape >>> NEGATIVE);
    }

    static boolean isWhole(int shape) {
        return (shape >>> END & BITS) == (shape & BITS);
    }

    /** Returns the value of a whole number. */
    static long whole(byte[] in, int from, int shape) {
        return whole(word(in, from + (shape >>> NEGATIVE)), shape);
    }

    private static long whole(long word, int shape) {
        int minus = shape >>> NEGATIVE;
        long value = eight(word << 64 - (shape & BITS));
        return (value ^ -minus) + minus;
    }

    /** Returns the nearest floating-point number: the digits and the power of ten are exact, so that one division rounds once. */
    static double real(byte[] in, int from, int shape) {
        return real(word(in, from + (shape >>> NEGATIVE)), shape);
    }

    private static double real(long word, int shape) {
        long minus = shape >>> NEGATIVE;
        int first = shape & BITS;
        int second = shape >>> END & BITS;
        int scale = isWhole(shape) ? 0 : (second - first >>> 3) - 1;
        long whole = word & (1L << first) - 1;
        // Without a point, the first part is the end.
        long joined = isWhole(shape) ? whole << 64 - first : (whole | word >>> 8 & -(1L << first)) << 72 - second;
        double value = eight(joined) / POWERS[scale & 7];
        // Without a branch on the sign, which no processor can predict.
        return Double.longBitsToDouble(Double.doubleToRawLongBits(value) | minus << 63);
    }

    private static long word(byte[] in, int from) {
        return (long) LONGS.get(in, from) ^ ZEROS;
    }

    /** Returns the number of eight digits, the first one in the lowest byte: joins neighbours, then pairs, then fours. */
    private static long eight(long digits) {
        long pairs = digits * (10 << 8 | 1) >>> 8 & 0x00ff00ff00ff00ffL;
        long fours = pairs * (100 << 16 | 1) >>> 16 & 0x0000ffff0000ffffL;
        return fours * (10_000L << 32 | 1) >>> 32;
    }
}
