package io.updraft.bench.report;

import java.util.Locale;

/** Formats numbers for reports. */
public final class NumberFormats {

    private NumberFormats() {}

    /** {@return a time as ns, us, ms or s, depending on its size} */
    public static String time(double nanos) {
        if (nanos < 1e3) {
            return format("%.0f ns", nanos);
        }
        if (nanos < 1e6) {
            return format("%.1f us", nanos / 1e3);
        }
        return nanos < 1e9 ? format("%.2f ms", nanos / 1e6) : format("%.2f s", nanos / 1e9);
    }

    /** {@return a whole number with thousands separators; {@code -} for NaN} */
    public static String count(double value) {
        return Double.isNaN(value) ? "-" : format("%,.0f", value);
    }

    /** {@return a ratio with one decimal, below 2 with two, such as {@code 2.5x} and {@code 0.94x}; {@code -} for NaN} */
    public static String ratio(double value) {
        return Double.isNaN(value) ? "-" : format(value < 2 ? "%.2fx" : "%.1fx", value);
    }

    /** {@return a fraction in percent; {@code -} for NaN} */
    public static String percent(double part) {
        return Double.isNaN(part) ? "-" : format("%.1f%%", part * 100);
    }

    /** {@return a number with three decimals; {@code -} if it is not finite} */
    public static String decimal(double value) {
        return Double.isFinite(value) ? format("%.3f", value) : "-";
    }

    private static String format(String pattern, double value) {
        return String.format(Locale.ROOT, pattern, value);
    }
}
