package io.updraft.observe.view;

import java.util.Locale;

/** Formats numbers in at most five characters, so that columns are narrow and do not move. */
public final class QuantityFormat {
    /** Shown in place of a missing value. */
    public static final String NONE = "-";

    private static final String[] THOUSANDS = {"", "k", "M", "G", "T", "P"};

    private QuantityFormat() {}

    /** Formats a count or rate: {@code 0}, {@code 0.4}, {@code 999}, {@code 12.3k}, {@code 1.20M}. */
    public static String count(double value) {
        if (value > 0 && value < 9.95) {
            String text = decimals(value, 1);
            return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
        }
        return scaled(value);
    }

    private static String scaled(double value) {
        double rest = value;
        int power = 0;
        while (rest >= 999.5 && power < THOUSANDS.length - 1) {
            rest /= 1000;
            power++;
        }
        return decimals(rest, power == 0 || rest >= 99.95 ? 0 : rest >= 9.995 ? 1 : 2) + THOUSANDS[power];
    }

    /** Formats a latency: {@code 850ns}, {@code 1.2us}, {@code 45ms}, {@code 3.1s}; {@link #NONE} for zero. */
    public static String latency(long nanos) {
        if (nanos <= 0) {
            return NONE;
        }
        if (nanos < 1_000) {
            return nanos + "ns";
        }
        if (nanos < 999_500) {
            return short3(nanos / 1e3) + "us";
        }
        if (nanos < 999_500_000) {
            return short3(nanos / 1e6) + "ms";
        }
        return nanos < 1e9 * 999.5 ? short3(nanos / 1e9) + "s" : count(nanos / 1e9) + "s";
    }

    private static String short3(double value) {
        return decimals(value, value >= 9.95 ? 0 : 1);
    }

    /** Formats a share of one: {@code 7%}, {@code 100%}. */
    public static String percent(double share) {
        return decimals(Math.min(9.99, Math.max(0, share)) * 100, 0) + "%";
    }

    /** Formats the time since the start: {@code 00:01:23}. */
    public static String clock(long nanos) {
        long seconds = nanos / 1_000_000_000L;
        return String.format(Locale.ROOT, "%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }

    /** Formats a whole number with separators: {@code 1,234,567}. */
    public static String whole(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String decimals(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
