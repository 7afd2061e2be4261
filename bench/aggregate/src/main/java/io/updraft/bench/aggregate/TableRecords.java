package io.updraft.bench.aggregate;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Generates records. Each round of as many records as there are keys has every key once, in scattered order. With few keys,
 * records are created once and reused, so that the runs do not measure their creation.
 */
final class TableRecords implements Serializable {

    /** The window of Ericsson's measurement. */
    static final Duration WINDOW = Duration.ofMinutes(5);

    static final String TIME = "time";

    private static final long serialVersionUID = 1;
    private static final int MOST_POOLED = 1 << 18;
    private static final int VALUES = 1000;
    /** A prime larger than any number of keys, so its multiples modulo the number of keys visit every key. */
    private static final long STRIDE = 2_654_435_761L;

    private final TableSpec spec;
    private transient String[][] vocabulary;
    private transient Long[] values;
    private transient Object[][] pool;

    /** Creates a generator of records of a shape; call {@link #prepare} before use. */
    public TableRecords(TableSpec spec) {
        this.spec = spec;
    }

    /** Creates values and pooled records. Call this in the process that generates records. */
    public void prepare() {
        int radix = radix();
        vocabulary = new String[spec.dimensions()][radix];
        for (int d = 0; d < spec.dimensions(); d++) {
            for (int v = 0; v < radix; v++) {
                vocabulary[d][v] = "dimension-" + d + "-value-" + v;
            }
        }
        values = new Long[VALUES + spec.measures()];
        for (int i = 0; i < values.length; i++) {
            values[i] = (long) i;
        }
        // The pool has whole rounds of all keys.
        int rounds = Math.min(10, MOST_POOLED / spec.keys());
        pool = new Object[rounds * spec.keys()][];
        for (int i = 0; i < pool.length; i++) {
            pool[i] = make(i);
        }
    }

    /** Returns the smallest number of values per dimension whose combinations are at least as many as the keys. */
    private int radix() {
        int radix = 2;
        while (Math.pow(radix, spec.dimensions()) < spec.keys()) {
            radix++;
        }
        return radix;
    }

    public static List<String> dimensions(int number) {
        return names("d", number);
    }

    public static List<String> measures(int number) {
        return names("m", number);
    }

    private static List<String> names(String prefix, int number) {
        return IntStream.range(0, number).mapToObj(i -> prefix + i).toList();
    }

    /** {@return the dimensions and then the measures of a record; callers must not change the array} */
    public Object[] record(long number) {
        return pool.length == 0 ? make(number) : pool[(int) (number % pool.length)];
    }

    /** {@return a record's time in milliseconds, from 0} */
    public long time(long number) {
        long window = number / spec.recordsPerWindow();
        long inWindow = number % spec.recordsPerWindow();
        return window * WINDOW.toMillis() + inWindow * WINDOW.toMillis() / spec.recordsPerWindow();
    }

    private Object[] make(long number) {
        Object[] record = new Object[spec.dimensions() + spec.measures()];
        long key = number % spec.keys() * STRIDE % spec.keys();
        int radix = vocabulary[0].length;
        for (int d = 0; d < spec.dimensions(); d++) {
            record[d] = vocabulary[d][(int) (key % radix)];
            key /= radix;
        }
        int value = value(number);
        for (int m = 0; m < spec.measures(); m++) {
            record[spec.dimensions() + m] = values[value + m];
        }
        return record;
    }

    private static int value(long number) {
        return (int) (number % VALUES);
    }

    /** {@return the sum of a measure over the given number of first records} */
    public long sum(long records, int measure) {
        long sum = records * measure;
        long period = pool.length == 0 ? VALUES : pool.length;
        for (long i = 0; i < period; i++) {
            sum += value(i) * times(records, i, period);
        }
        return sum;
    }

    /** Returns how often the i-th record of a period occurs among the given number of records. */
    private static long times(long records, long i, long period) {
        return records / period + (i < records % period ? 1 : 0);
    }
}
