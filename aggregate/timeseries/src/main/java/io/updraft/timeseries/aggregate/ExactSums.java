package io.updraft.timeseries.aggregate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * Exact sums, stored in words of an array.
 *
 * <p>Whole numbers: 128 bits in two's complement, and 192 bits for their squares, low word first. Floating-point numbers: two
 * words, the unevaluated sum of two doubles, of which the first is the nearest double to the sum ("double-double": T. J.
 * Dekker, A floating-point technique for extending the available precision, 1971). The parts are computed by error-free
 * transformations: TwoSum (D. E. Knuth, The Art of Computer Programming 2, 4.2.2), and a fused multiply-add for products. Two
 * such sums are added by the accurate addition of J. R. Shewchuk and of Li and others (Design of XBLAS, 2002). A sum keeps 106
 * bits. A sum that fits into 106 bits is exact, and does not depend on the order of its terms. Sums of measurements fit if
 * their magnitudes lie within some 30 powers of two of each other.
 *
 * <p>Squares of floating-point numbers: such a pair, and a third word with a power of two. The numbers are divided by that
 * power before they are squared, so that no square leaves the range of doubles. It is 0 as long as magnitudes lie between
 * 2<sup>-400</sup> and 2<sup>400</sup> (scaling as in J. L. Blue, A portable Fortran program to find the Euclidean norm of a
 * vector, 1978). The variance is the difference of the sums. With {@code k} the root mean square divided by the deviation, its
 * relative error is about k<sup>2</sup>u<sup>2</sup>, where u is 2<sup>-53</sup>. The updates of B. P. Welford (1962) and of
 * Chan and others in doubles have an error of about {@code k u}, which is never less while either has a correct digit (T. F.
 * Chan, G. H. Golub, R. J. LeVeque, Algorithms for computing the sample variance, 1983). Those updates also depend on the order
 * of the numbers.
 */
final class ExactSums {

    /**
     * The largest exponent for which squares, sums of the most possible squares, and the error of each square have exponents of
     * doubles.
     */
    private static final int MAX_EXPONENT = 400;

    private static final double MAX_UNSCALED = 0x1p400;
    private static final double MIN_UNSCALED = 0x1p-400;

    /** A double has every whole number up to this one. */
    private static final long EXACT = 1L << 53;

    private ExactSums() {}

    static void addLong(long[] words, int at, long value) {
        add128(words, at, value, value >> 63);
    }

    static void add128(long[] words, int at, long low, long high) {
        long before = words[at];
        long sum = before + low;
        words[at] = sum;
        words[at + 1] += high + ((before & low | (before | low) & ~sum) >>> 63);
    }

    static boolean fitsLong(long low, long high) {
        return high == low >> 63;
    }

    static BigInteger integer(long low, long high) {
        return BigInteger.valueOf(high).shiftLeft(64).add(unsigned(low));
    }

    static void addDouble(long[] words, int at, double value) {
        double high = Double.longBitsToDouble(words[at]);
        double sum = high + value;
        double back = sum - high;
        double low = Double.longBitsToDouble(words[at + 1]) + ((high - (sum - back)) + (value - back));
        put(words, at, sum, low);
    }

    /** Adds the square of a number to a sum of three words: a pair and the scale. */
    static void addSquare(long[] words, int at, double value) {
        double magnitude = Math.abs(value);
        if (words[at + 2] == 0 && magnitude <= MAX_UNSCALED && (magnitude >= MIN_UNSCALED || value == 0)) {
            addSquareOf(words, at, value);
        } else if (!(magnitude <= Double.MAX_VALUE)) {
            addPair(words, at, magnitude, 0);
        } else if (value != 0) {
            scaleFor(words, at, Math.getExponent(value));
            addSquareOf(words, at, Math.scalb(value, (int) -words[at + 2]));
        }
    }

    private static void addSquareOf(long[] words, int at, double value) {
        double square = value * value;
        addPair(words, at, square, Math.fma(value, value, -square));
    }

    /** Chooses the scale for a number. A number far smaller than those before may vanish; one far greater changes the scale. */
    private static void scaleFor(long[] words, int at, int exponent) {
        if (sum(words, at) == 0) {
            words[at + 2] = exponent;
        } else if (exponent - words[at + 2] > MAX_EXPONENT) {
            scale(words, at, exponent);
        }
    }

    private static void scale(long[] words, int at, long scale) {
        int by = (int) (2 * (words[at + 2] - scale));
        words[at] = scaled(words[at], by);
        words[at + 1] = scaled(words[at + 1], by);
        words[at + 2] = scale;
    }

    private static long scaled(long bits, int by) {
        return Double.doubleToRawLongBits(Math.scalb(Double.longBitsToDouble(bits), by));
    }

    /** Adds another sum of squares, without changing it. */
    static void addSquares(long[] words, int at, long[] added, int from) {
        if (sum(added, from) == 0) {
            return;
        }
        if (sum(words, at) == 0) {
            System.arraycopy(added, from, words, at, 3);
            return;
        }
        long scale = Math.max(words[at + 2], added[from + 2]);
        if (words[at + 2] != scale) {
            scale(words, at, scale);
        }
        int by = (int) (2 * (added[from + 2] - scale));
        addPair(words, at, Math.scalb(sum(added, from), by), Math.scalb(sum(added, from + 1), by));
    }

    /** Adds the square of a whole number to a sum of three words, low word first. */
    static void addSquare(long[] words, int at, long value) {
        add192(words, at, value * value, Math.multiplyHigh(value, value), 0);
    }

    static void add192(long[] words, int at, long low, long middle, long high) {
        long sum = words[at] + low;
        long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
        long next = words[at + 1] + middle;
        long carried = next + carry;
        words[at] = sum;
        words[at + 1] = carried;
        words[at + 2] += high
                + (Long.compareUnsigned(next, middle) < 0 ? 1 : 0)
                + (Long.compareUnsigned(carried, next) < 0 ? 1 : 0);
    }

    static void addPair(long[] words, int at, double high, double low) {
        double a = Double.longBitsToDouble(words[at]);
        double b = Double.longBitsToDouble(words[at + 1]);
        double s = a + high;
        double back = s - a;
        double e = (a - (s - back)) + (high - back);
        double t = b + low;
        double again = t - b;
        double f = (b - (t - again)) + (low - again);
        double c = e + t;
        double sum = s + c;
        put(words, at, sum, f + (c - (sum - s)), s);
    }

    private static void put(long[] words, int at, double sum, double low) {
        put(words, at, sum, low, sum);
    }

    /** Stores a sum. An infinite sum, or NaN, has no error term. */
    private static void put(long[] words, int at, double sum, double low, double infinite) {
        double high = sum + low;
        boolean finite = Math.abs(high) <= Double.MAX_VALUE;
        words[at] = Double.doubleToRawLongBits(finite ? high : infinite);
        words[at + 1] = Double.doubleToRawLongBits(finite ? low - (high - sum) : 0);
    }

    static double sum(long[] words, int at) {
        return Double.longBitsToDouble(words[at]);
    }

    static double mean(long[] words, int at, long count) {
        double high = sum(words, at);
        double mean = high / count;
        if (!(Math.abs(mean) <= Double.MAX_VALUE)) {
            return mean;
        }
        // One Newton step: the exact remainder of the quotient, plus the sum's second word.
        double rest = Math.fma(-mean, count, high) + Double.longBitsToDouble(words[at + 1]);
        return mean + rest / count;
    }

    /** Returns the mean of numbers from the sum of their multiples by a unit. */
    static double mean128(long low, long high, long count, long unit) {
        if (fitsLong(low, high) && Math.abs(low) <= EXACT && count <= EXACT / unit) {
            return (double) low / (count * unit);
        }
        return new BigDecimal(integer(low, high))
                .divide(BigDecimal.valueOf(count).multiply(BigDecimal.valueOf(unit)), new MathContext(60))
                .doubleValue();
    }

    /**
     * Returns the standard deviation of {@code n} whole numbers, from their exact sum (two words) and the sum of their squares
     * (three words).
     */
    static double deviation(long n, long[] words, int sumAt, int squaresAt) {
        BigInteger sum = integer(words[sumAt], words[sumAt + 1]);
        BigInteger squares = BigInteger.valueOf(words[squaresAt + 2])
                .shiftLeft(128)
                .add(unsigned(words[squaresAt + 1]).shiftLeft(64))
                .add(unsigned(words[squaresAt]));
        BigInteger count = BigInteger.valueOf(n);
        BigInteger spread = squares.multiply(count).subtract(sum.multiply(sum));
        return Math.sqrt(spread.doubleValue()) / n;
    }

    private static BigInteger unsigned(long word) {
        BigInteger signed = BigInteger.valueOf(word);
        return word < 0 ? signed.add(BigInteger.ONE.shiftLeft(64)) : signed;
    }

    /**
     * Returns the standard deviation of {@code n} floating-point numbers, from their sum (two words) and the sum of their
     * squares (three words); NaN if their sum is infinite or NaN.
     */
    static double deviationOfReals(long n, long[] words, int sumAt, int squaresAt) {
        int scale = (int) words[squaresAt + 2];
        double sum = Math.scalb(sum(words, sumAt), -scale);
        double sumLow = Math.scalb(sum(words, sumAt + 1), -scale);
        return Math.scalb(deviation(n, sum, sumLow, sum(words, squaresAt), sum(words, squaresAt + 1)), scale);
    }

    private static double deviation(long n, double sum, double sumLow, double squares, double squaresLow) {
        double a = n * squares;
        double aLow = Math.fma(n, squares, -a) + n * squaresLow;
        double b = sum * sum;
        double bLow = Math.fma(sum, sum, -b) + 2 * sum * sumLow;
        double d = a - b;
        double back = d - a;
        double dLow = (a - (d - back)) - (b + back) + (aLow - bLow);
        double variance = (d + dLow) / n / n;
        return Double.isNaN(variance) || Double.isInfinite(variance) ? Double.NaN : Math.sqrt(Math.max(0, variance));
    }
}
