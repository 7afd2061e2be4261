package io.updraft.bench.aggregate.data;

/** Sum, least, greatest and count of whole numbers. Mutable; one thread only. */
public final class Totals {

    /** The sum. */
    public long sum;
    /** The least. */
    public long min = Long.MAX_VALUE;
    /** The greatest. */
    public long max = Long.MIN_VALUE;
    /** How many. */
    public long count;

    /** Nothing so far. */
    public Totals() {}

    /** Adds a value. */
    public void add(long value) {
        sum += value;
        min = Math.min(min, value);
        max = Math.max(max, value);
        count++;
    }

    /** Adds what others have counted. */
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
