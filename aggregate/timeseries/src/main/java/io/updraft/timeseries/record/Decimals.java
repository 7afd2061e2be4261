package io.updraft.timeseries.record;

import java.math.BigDecimal;

/**
 * Numbers of type {@link FieldType#DECIMAL}, unscaled: a whole number of at most 18 digits is the number times ten to the power of its
 * field's scale. Stateless; any thread may use it.
 */
public final class Decimals {

    /** The most digits of a number, and so of its fraction. */
    public static final int MAX_DIGITS = 18;

    /** The scale of SQL's {@code DECIMAL} if none is stated. */
    public static final int USUAL_SCALE = 3;

    private static final long[] POWERS = new long[MAX_DIGITS + 1];
    /** A double has every whole number up to this one. */
    private static final long EXACT = 1L << 53;

    static {
        POWERS[0] = 1;
        for (int i = 1; i < POWERS.length; i++) {
            POWERS[i] = POWERS[i - 1] * 10;
        }
    }

    private Decimals() {}

    /** Returns a power of ten, from 0 to 18. */
    public static long power(int exponent) {
        return POWERS[exponent];
    }

    /** Returns whether a whole number has at most 18 digits. */
    public static boolean fits(long unscaled) {
        return unscaled < POWERS[MAX_DIGITS] && unscaled > -POWERS[MAX_DIGITS];
    }

    /** Returns the nearest floating-point number. */
    public static double real(long unscaled, int scale) {
        // A double has every power of ten up to 10^22, so that the division rounds once.
        return Math.abs(unscaled) <= EXACT
                ? (double) unscaled / POWERS[scale]
                : BigDecimal.valueOf(unscaled, scale).doubleValue();
    }

    /** Divides a whole number by a power of ten. Rounds half away from zero. */
    public static long rounded(long unscaled, int digits) {
        long unit = POWERS[digits];
        long whole = unscaled / unit;
        long rest = Math.abs(unscaled % unit);
        return rest >= unit - rest ? whole + (unscaled < 0 ? -1 : 1) : whole;
    }
}
