package io.updraft.bench.report;

import java.util.Arrays;
import java.util.Locale;

/**
 * Statistics of repeated measurements of one quantity.
 *
 * @param median the median; the mean of the two middle values when their number is even
 * @param min the smallest
 * @param max the largest
 */
public record Statistics(double median, double min, double max) {

    /** {@return the statistics of at least one value} */
    public static Statistics of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no values");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Statistics(median, sorted[0], sorted[sorted.length - 1]);
    }

    /** {@return the range divided by the median; 0 if the median is 0} */
    public double spread() {
        return median == 0 ? 0 : (max - min) / median;
    }

    /** {@return this median divided by the other median; NaN when the other is 0} */
    public double ratioTo(Statistics other) {
        return other.median == 0 ? Double.NaN : median / other.median;
    }

    /** {@return minimum and maximum as whole numbers, {@code min..max}} */
    public String range() {
        return String.format(Locale.ROOT, "%,.0f..%,.0f", min, max);
    }
}
