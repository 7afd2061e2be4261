package io.updraft.timeseries.record;

import ch.randelshofer.fastdoubleparser.JavaDoubleParser;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A decimal number parsed in place: its first significant digits and a power of ten. Conversion to double is exact. It uses the
 * fast path of Clinger ("How to read floating point numbers accurately", 1990) where digits and power are small, else
 * fastdoubleparser, which implements the algorithm of Eisel and Lemire. Nothing is allocated.
 */
public final class Decimal {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ZEROS = 0x3030303030303030L;
    private static final long LOWS = 0x7f7f7f7f7f7f7f7fL;
    private static final long HIGHS = 0x8080808080808080L;
    /** Sets the highest bit of a byte from 10 to 127 when added. */
    private static final long BEYOND_NINE = 0x7676767676767676L;

    private static final long[] TENS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000};

    private static final int KEPT = 18;
    private static final long EXACT = 1L << 53;
    private static final long MAX_EXPONENT = 1_000_000_000;
    private static final double[] POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    private byte[] bytes;
    private int from;
    private int end;
    private boolean negative;
    /** The digits, up to 19; may have to be taken as unsigned. */
    private long digits;

    private long exponent;
    /** Whether nonzero digits were dropped. */
    private boolean inexact;

    /** Whether the last number had leading zeros, which JSON does not allow. */
    private boolean padded;

    private long value;

    /**
     * Parses {@code -1}, {@code 0.5}, {@code 1e9} or {@code -1.25E-3} in the syntax of JSON.
     *
     * @return its end; -1 if there is no number, or one that JSON does not allow
     */
    public int json(byte[] in, int start, int limit) {
        int after = read(in, start, limit);
        return padded ? -1 : after;
    }

    /** Returns whether a text is a number: in the syntax of JSON, but leading zeros and a plus sign are allowed. */
    public boolean text(byte[] in, int start, int length) {
        int limit = start + length;
        int at = length > 1 && in[start] == '+' && in[start + 1] != '-' ? start + 1 : start;
        return length > 0 && read(in, at, limit) == limit;
    }

    /** The end of the digits that {@link #digits} has parsed. */
    private int next;

    /** Parses a number. Half of all bytes of measurements pass through this method. */
    private int read(byte[] in, int start, int limit) {
        bytes = in;
        from = start;
        padded = false;
        int at = start;
        negative = at < limit && in[at] == '-';
        at += negative ? 1 : 0;
        int first = at;
        long number = digits(in, at, limit, 0);
        at = next;
        int count = at - first;
        if (count == 0) {
            return -1;
        }
        padded = count > 1 && in[first] == '0';
        long power = 0;
        if (at < limit && in[at] == '.') {
            int point = at++;
            number = digits(in, at, limit, number);
            at = next;
            int fraction = at - point - 1;
            if (fraction == 0) {
                return -1;
            }
            power = -fraction;
            count += fraction;
        }
        digits = number;
        exponent = power;
        inexact = false;
        if (count > KEPT) {
            readLong(first, at);
        }
        end = at;
        return at < limit && (in[at] | 0x20) == 'e' ? readExponent(at + 1, limit) : at;
    }

    /** Appends digits to a number, 8 bytes at a time where possible. The result wraps around if there are too many. */
    private long digits(byte[] in, int start, int limit, long before) {
        long number = before;
        int at = start;
        while (at <= limit - 8) {
            long values = (long) LONGS.get(in, at) ^ ZEROS;
            long others = ((values & LOWS) + BEYOND_NINE | values) & HIGHS;
            if (others != 0) {
                int count = Long.numberOfTrailingZeros(others) >>> 3;
                next = at + count;
                return count == 0 ? number : number * TENS[count] + eight(values << (8 - count << 3));
            }
            number = number * TENS[8] + eight(values);
            at += 8;
        }
        for (int digit; at < limit && (digit = in[at] - '0') >= 0 && digit <= 9; at++) {
            number = number * 10 + digit;
        }
        next = at;
        return number;
    }

    /** Returns the number of eight digits, the first one in the lowest byte: joins neighbours, then pairs, then fours. */
    private static long eight(long digits) {
        long pairs = digits * (10 << 8 | 1) >>> 8 & 0x00ff00ff00ff00ffL;
        long fours = pairs * (100 << 16 | 1) >>> 16 & 0x0000ffff0000ffffL;
        return fours * (10_000L << 32 | 1) >>> 32;
    }

    /** Parses a number again that has too many digits to fit: keeps 18 significant digits, and 19 of a whole number. */
    private void readLong(int first, int last) {
        long number = 0;
        int kept = 0;
        long dropped = 0;
        boolean rounded = false;
        long fraction = 0;
        boolean inFraction = false;
        for (int at = first; at < last; at++) {
            int digit = bytes[at] - '0';
            if (digit < 0) {
                inFraction = true;
                continue;
            }
            fraction += inFraction ? 1 : 0;
            if (kept <= KEPT) {
                number = number * 10 + digit;
                kept += number == 0 ? 0 : 1;
            } else {
                dropped++;
                rounded |= digit != 0;
            }
        }
        digits = number;
        exponent = dropped - fraction;
        inexact = rounded;
    }

    private int readExponent(int start, int limit) {
        int at = start;
        boolean minus = at < limit && bytes[at] == '-';
        at += minus || (at < limit && bytes[at] == '+') ? 1 : 0;
        int first = at;
        long power = 0;
        while (at < limit && bytes[at] >= '0' && bytes[at] <= '9') {
            power = Math.min(MAX_EXPONENT * 10, power * 10 + bytes[at] - '0');
            at++;
        }
        exponent += minus ? -power : power;
        end = at;
        return at == first ? -1 : at;
    }

    /** Returns whether the number is whole and fits into 64 bits; {@link #value} then contains it. */
    public boolean isWhole() {
        if (exponent == 0 && digits >= 0 && !inexact) {
            value = negative ? -digits : digits;
            return true;
        }
        return isWholeThough();
    }

    private boolean isWholeThough() {
        long number = digits;
        long power = number == 0 ? 0 : exponent;
        while (power < 0 && Long.remainderUnsigned(number, 10) == 0) {
            number = Long.divideUnsigned(number, 10);
            power++;
        }
        boolean fits = !inexact && power >= 0 && power <= KEPT;
        for (; fits && power > 0; power--) {
            fits = number >= 0 && number <= Long.MAX_VALUE / 10;
            number *= 10;
        }
        value = negative ? -number : number;
        return fits && (number >= 0 || (negative && number == Long.MIN_VALUE));
    }

    /** Returns whether the number times a power of ten, rounded down, fits into 64 bits; {@link #value} then contains it. */
    public boolean isScaled(int power) {
        long number = digits;
        long by = number == 0 ? 0 : exponent + power;
        boolean cut = inexact;
        for (; by < 0 && number != 0; by++) {
            cut |= Long.remainderUnsigned(number, 10) != 0;
            number = Long.divideUnsigned(number, 10);
        }
        boolean fits = number >= 0 && by <= KEPT;
        for (; fits && by > 0; by--) {
            fits = number <= Long.MAX_VALUE / 10;
            number *= 10;
        }
        value = negative ? -number - (cut ? 1 : 0) : number;
        return fits;
    }

    /**
     * Returns whether the number times a power of ten, rounded half away from zero, has at most 18 digits; {@link #value} then contains
     * it.
     */
    public boolean isDecimal(int scale) {
        long number = digits;
        long by = number == 0 ? 0 : exponent + scale;
        // The first digit that is dropped decides. It is among the 19 that were kept if the others are at most 18.
        long dropped = 0;
        for (; by < 0 && number != 0; by++) {
            dropped = Long.remainderUnsigned(number, 10);
            number = Long.divideUnsigned(number, 10);
        }
        number += by == 0 && dropped >= 5 ? 1 : 0;
        boolean fits = by <= Decimals.MAX_DIGITS && number >= 0;
        for (; fits && by > 0; by--) {
            fits = number <= Long.MAX_VALUE / 10;
            number *= 10;
        }
        value = negative ? -number : number;
        return fits && Decimals.fits(number);
    }

    public long value() {
        return value;
    }

    /** Returns the nearest floating-point number; infinity if the number is too large. */
    public double real() {
        if (exponent == 0 && digits >= 0 && !inexact) {
            return negative ? -(double) digits : digits;
        }
        if (!inexact && digits >= 0 && digits <= EXACT && exponent >= -22 && exponent <= 22) {
            double number = exponent < 0 ? digits / POWERS[(int) -exponent] : digits * POWERS[(int) exponent];
            return negative ? -number : number;
        }
        return JavaDoubleParser.parseDouble(bytes, from, end - from);
    }
}
