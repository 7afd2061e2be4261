package io.updraft.pipeline.text;

/**
 * Writes numbers as {@link Long#toString(long)} and {@link Double#toString(double)} do, without a string for most.
 *
 * <p>Most numbers of results have few digits. A double is the nearest to {@code digits / 10^scale} if that quotient, which is rounded
 * once, equals it. With at most 15 digits no other number of as many digits has the same nearest double, so these digits are the
 * shortest that identify it.
 */
final class NumberText {

    /** The most bytes that a number takes. */
    static final int MAX_BYTES = 32;

    private static final long[] POWERS = new long[19];
    /** The digits of the numbers from 0 to 99. */
    private static final byte[] PAIRS = new byte[200];

    /** From here on, {@link Double#toString(double)} writes an exponent. */
    private static final double EXPONENT_FROM = 1e7;

    private static final double EXPONENT_BELOW = 1e-3;
    /** Digits below this number identify a double. */
    private static final double MAX_DIGITS = 1e15;

    private static final int MAX_SCALE = 8;

    static {
        POWERS[0] = 1;
        for (int i = 1; i < POWERS.length; i++) {
            POWERS[i] = POWERS[i - 1] * 10;
        }
        for (int i = 0; i < 100; i++) {
            PAIRS[2 * i] = (byte) ('0' + i / 10);
            PAIRS[2 * i + 1] = (byte) ('0' + i % 10);
        }
    }

    private NumberText() {}

    /** Writes a whole number. Returns the index behind it. */
    static int put(long value, byte[] to, int at) {
        if (value == Long.MIN_VALUE) {
            return put(Long.toString(value), to, at);
        }
        int begin = value < 0 ? sign(to, at) : at;
        return putDigits(Math.abs(value), to, begin);
    }

    /** Writes a number of at most 18 digits, of which the last ones are after the point. Returns the index behind it. */
    static int put(long unscaled, int scale, byte[] to, int at) {
        if (scale == 0) {
            return put(unscaled, to, at);
        }
        long digits = Math.abs(unscaled);
        int point = putDigits(digits / POWERS[scale], to, unscaled < 0 ? sign(to, at) : at);
        to[point] = '.';
        int end = point + 1 + scale;
        putDigits(digits % POWERS[scale], to, point + 1, end);
        return end;
    }

    /** Writes a floating-point number. Returns the index behind it. */
    static int put(double value, byte[] to, int at) {
        double magnitude = Math.abs(value);
        if (magnitude >= EXPONENT_BELOW) {
            for (int scale = 2; scale <= MAX_SCALE && magnitude * POWERS[scale] < MAX_DIGITS; scale *= 2) {
                long digits = (long) (magnitude * POWERS[scale] + 0.5);
                if ((double) digits / POWERS[scale] == magnitude) {
                    int begin = value < 0 ? sign(to, at) : at;
                    return magnitude < EXPONENT_FROM
                            ? putPlain((long) magnitude, digits, scale, to, begin)
                            : putWithExponent(digits, scale, to, begin);
                }
            }
        }
        return put(Double.toString(value), to, at);
    }

    private static int sign(byte[] to, int at) {
        to[at] = '-';
        return at + 1;
    }

    /** Writes digits with a point before the last {@code scale} ones, and without zeros at the end. */
    private static int putPlain(long whole, long digits, int scale, byte[] to, int at) {
        int point = putDigits(whole, to, at);
        to[point] = '.';
        int end = point + 1 + scale;
        putDigits(digits - whole * POWERS[scale], to, point + 1, end);
        while (to[end - 1] == '0' && end > point + 2) {
            end--;
        }
        return end;
    }

    private static int putWithExponent(long digits, int scale, byte[] to, int at) {
        int end = putDigits(digits, to, at + 1);
        int exponent = end - at - 2 - scale;
        to[at] = to[at + 1];
        to[at + 1] = '.';
        while (to[end - 1] == '0' && end > at + 3) {
            end--;
        }
        to[end] = 'E';
        return putDigits(exponent, to, end + 1);
    }

    /** Writes a number that is not negative. Returns the index behind it. */
    private static int putDigits(long value, byte[] to, int at) {
        int count = 1;
        while (count < POWERS.length && value >= POWERS[count]) {
            count++;
        }
        putDigits(value, to, at, at + count);
        return at + count;
    }

    /** Writes the last digits of a number up to the index {@code end}, with zeros before them. */
    private static void putDigits(long value, byte[] to, int from, int end) {
        long rest = value;
        int at = end;
        for (; at - from >= 2; at -= 2) {
            long next = rest / 100;
            int pair = (int) (rest - next * 100) * 2;
            to[at - 2] = PAIRS[pair];
            to[at - 1] = PAIRS[pair + 1];
            rest = next;
        }
        if (at > from) {
            to[from] = (byte) ('0' + rest);
        }
    }

    private static int put(String ascii, byte[] to, int at) {
        for (int i = 0; i < ascii.length(); i++) {
            to[at + i] = (byte) ascii.charAt(i);
        }
        return at + ascii.length();
    }
}
