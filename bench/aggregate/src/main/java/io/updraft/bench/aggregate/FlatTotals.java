package io.updraft.bench.aggregate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;

/**
 * The exact totals of a group, computed without floating-point additions. A sum counts units of 2<sup>-59</sup>, of which every
 * double from 0.01 on is a multiple, in two words of which the lower has 32 bits.
 */
final class FlatTotals {

    private static final int SCALE = 59;
    private static final int LOW_BITS = 32;
    private static final BigDecimal UNITS = new BigDecimal(BigInteger.ONE.shiftLeft(SCALE));
    private static final MathContext DIGITS = new MathContext(60);

    private final long[] high;
    private final long[] low;
    private final double[] min;
    private final double[] max;
    private long count;

    FlatTotals(int measures) {
        high = new long[measures];
        low = new long[measures];
        min = new double[measures];
        max = new double[measures];
        Arrays.fill(min, Double.POSITIVE_INFINITY);
        Arrays.fill(max, Double.NEGATIVE_INFINITY);
    }

    /** Counts a record. */
    void count() {
        count++;
    }

    /** Adds a record's value: 0, or a number whose magnitude is from 0.01 to 2^30. */
    void add(int measure, double value) {
        double units = Math.scalb(value, SCALE - LOW_BITS);
        double whole = Math.floor(units);
        high[measure] += (long) whole;
        low[measure] += (long) Math.scalb(units - whole, LOW_BITS);
        min[measure] = Math.min(min[measure], value);
        max[measure] = Math.max(max[measure], value);
    }

    /** {@return the number of records} */
    long records() {
        return count;
    }

    /** {@return the nearest double to the exact value of a result} */
    double of(FlatShape.Result result) {
        int measure = result.measure();
        return switch (result.function()) {
            case "min" -> min[measure];
            case "max" -> max[measure];
            case "sum" -> sum(measure).divide(UNITS, DIGITS).doubleValue();
            case "avg" ->
                sum(measure)
                        .divide(UNITS.multiply(BigDecimal.valueOf(count)), DIGITS)
                        .doubleValue();
            default -> throw new IllegalArgumentException(result.function());
        };
    }

    private BigDecimal sum(int measure) {
        return new BigDecimal(
                BigInteger.valueOf(high[measure]).shiftLeft(LOW_BITS).add(BigInteger.valueOf(low[measure])));
    }
}
