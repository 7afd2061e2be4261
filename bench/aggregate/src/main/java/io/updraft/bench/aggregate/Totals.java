package io.updraft.bench.aggregate;

/** Sum, minimum, maximum and count of whole numbers. Mutable; one thread only. */
public final class Totals {

    /** The sum. */
    public long sum;
    /** The minimum. */
    public long min = Long.MAX_VALUE;
    /** The maximum. */
    public long max = Long.MIN_VALUE;
    /** The number of values. */
    public long count;

    /** Creates totals of no values. */
    public Totals() {}

    /** Adds a value. */
    public void add(long value) {
        sum += value;
        min = Math.min(min, value);
        max = Math.max(max, value);
        count++;
    }

    /** Adds other totals. */
    public void add(Totals other) {
        sum += other.sum;
        min = Math.min(min, other.min);
        max = Math.max(max, other.max);
        count += other.count;
    }

    /** {@return the mean} */
    public double avg() {
        return (double) sum / count;
    }

    @Override
    public String toString() {
        return "sum " + sum + ", avg " + avg() + ", min " + min + ", max " + max + ", count " + count;
    }
}
