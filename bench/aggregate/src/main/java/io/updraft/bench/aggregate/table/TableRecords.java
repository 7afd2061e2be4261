package io.updraft.bench.aggregate.table;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The records: each key comes once in as many records as there are keys, far from its neighbours. Where there are few keys, records
 * are made once and used again and again, so that making them is not what is measured.
 */
public final class TableRecords implements Serializable {

    /** Ericsson's emission. */
    static final Duration WINDOW = Duration.ofMinutes(5);

    static final String TIME = "time";

    private static final long serialVersionUID = 1;
    private static final int MOST_POOLED = 1 << 18;
    private static final int VALUES = 1000;
    /** A prime larger than any number of keys: multiples of it reach each key in turn. */
    private static final long STRIDE = 2_654_435_761L;

    private final TableSpecFields spec;
    private transient String[][] vocabulary;
    private transient Long[] values;
    private transient Object[][] pool;

    /** Records of a shape. */
    public TableRecords(TableSpec spec) {
        this.spec = new TableSpecFields(spec.dimensions(), spec.measures(), spec.keys(), spec.recordsPerWindow());
    }

    /** The part that goes with spouts. */
    private record TableSpecFields(int dimensions, int measures, int keys, long recordsPerWindow)
            implements Serializable {}

    /** To be called where the records are made. */
    public void prepare() {
        int radix = radix();
        vocabulary = new String[spec.dimensions][radix];
        for (int d = 0; d < spec.dimensions; d++) {
            for (int v = 0; v < radix; v++) {
                vocabulary[d][v] = "dimension-" + d + "-value-" + v;
            }
        }
        values = new Long[VALUES + spec.measures];
        for (int i = 0; i < values.length; i++) {
            values[i] = (long) i;
        }
        // Whole rounds of all keys.
        int rounds = Math.min(10, MOST_POOLED / spec.keys);
        pool = new Object[rounds * spec.keys][];
        for (int i = 0; i < pool.length; i++) {
            pool[i] = make(i);
        }
    }

    /** The least number whose power by the number of dimensions is no less than the number of keys. */
    private int radix() {
        int radix = 2;
        while (Math.pow(radix, spec.dimensions) < spec.keys) {
            radix++;
        }
        return radix;
    }

    /** {@return the names of the dimensions} */
    public static List<String> dimensions(int number) {
        return names("d", number);
    }

    /** {@return the names of the measures} */
    public static List<String> measures(int number) {
        return names("m", number);
    }

    private static List<String> names(String prefix, int number) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            names.add(prefix + i);
        }
        return names;
    }

    /** {@return the dimensions and then the measures of a record; not to be changed} */
    public Object[] record(long number) {
        return pool.length == 0 ? make(number) : pool[(int) (number % pool.length)];
    }

    /** {@return a record's time, the same object for many in turn where it is the same time} */
    public long time(long number) {
        long window = number / spec.recordsPerWindow;
        long inWindow = number % spec.recordsPerWindow;
        return window * WINDOW.toMillis() + inWindow * WINDOW.toMillis() / spec.recordsPerWindow;
    }

    private Object[] make(long number) {
        Object[] record = new Object[spec.dimensions + spec.measures];
        long key = number % spec.keys * STRIDE % spec.keys;
        int radix = vocabulary[0].length;
        for (int d = 0; d < spec.dimensions; d++) {
            record[d] = vocabulary[d][(int) (key % radix)];
            key /= radix;
        }
        int value = value(number);
        for (int m = 0; m < spec.measures; m++) {
            record[spec.dimensions + m] = values[value + m];
        }
        return record;
    }

    private static int value(long number) {
        return (int) (number % VALUES);
    }

    /** {@return the sum of a measure over the first records} */
    public long sum(long records, int measure) {
        long sum = records * measure;
        long period = pool.length == 0 ? VALUES : pool.length;
        for (long i = 0; i < period; i++) {
            sum += value(i) * times(records, i, period);
        }
        return sum;
    }

    /** How often the i-th of a period is among so many. */
    private static long times(long records, long i, long period) {
        return records / period + (i < records % period ? 1 : 0);
    }
}
