package io.updraft.bench.aggregate;

import java.nio.charset.StandardCharsets;

/**
 * A reproducible sequence of measurements, generated from a seed. Record {@code i} has a metric, a source and a whole number as
 * its value. Event time rises with {@code i}, evenly within each window. Immutable.
 *
 * @param keys the number of pairs of metric and source
 * @param partitions the number of partitions; all records of a key are in one partition
 * @param windowMillis the window length in milliseconds
 */
record MeasurementSequence(
        long records, int keys, int partitions, long recordsPerWindow, long windowMillis, long seed) {

    /** The first record's time, in milliseconds since 1970: the beginning of a day. */
    public static final long START = 1_767_225_600_000L;
    /** The metric of the closing record of a partition, see {@link #closing}. */
    public static final String CLOSING = "closing";
    /** The separator of metric and source in a record's key. */
    public static final char SEPARATOR = '/';

    private static final int METRICS = 100;
    private static final int VALUES = 1_000_000;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /**
     * Checks the parameters.
     *
     * @throws IllegalArgumentException when a count is below 1, or when there are fewer keys than partitions
     */
    public MeasurementSequence {
        if (records < 1 || recordsPerWindow < 1 || windowMillis < 1 || partitions < 1) {
            throw new IllegalArgumentException(
                    "records, records per window, window length and partitions must be at " + "least 1");
        }
        if (keys < partitions) {
            throw new IllegalArgumentException(keys + " keys cannot fill " + partitions + " partitions");
        }
    }

    /** {@return the same records in windows of another length} */
    public MeasurementSequence withWindow(long millis) {
        return new MeasurementSequence(records, keys, partitions, recordsPerWindow, millis, seed);
    }

    /** {@return the number of a record's key, 0 to keys - 1} */
    public int key(long record) {
        return (int) (((mixed(record) >>> 32) * keys) >>> 32);
    }

    /** {@return a record's value, 0 to 999,999} */
    public int value(long record) {
        return (int) (((mixed(record) & 0xFFFFFFFFL) * VALUES) >>> 32);
    }

    /** {@return a record's time, milliseconds since 1970} */
    public long time(long record) {
        return START
                + record / recordsPerWindow * windowMillis
                + record % recordsPerWindow * windowMillis / recordsPerWindow;
    }

    public int partition(int key) {
        return key % partitions;
    }

    /** {@return the number of windows; the last may have fewer records than the others} */
    public int windows() {
        return Math.toIntExact((records + recordsPerWindow - 1) / recordsPerWindow);
    }

    /** {@return the end of the last window, in milliseconds since 1970} */
    public long end() {
        return START + windows() * windowMillis;
    }

    public static String metric(int key) {
        return String.format("metric.%03d", key % METRICS);
    }

    public static String source(int key) {
        return String.format("host-%05d", key / METRICS);
    }

    /** {@return the Kafka key of a key's records: metric and source, in ASCII} */
    public static byte[] name(int key) {
        return ascii(metric(key) + SEPARATOR + source(key));
    }

    /**
     * Returns the closing record of a partition, which follows its last record. Its time is two windows after the last window.
     * A reader that has read the closing record of every partition can close all windows.
     */
    public byte[] closing(int partition) {
        return ascii("{\"time\":" + (end() + 2 * windowMillis) + ",\"metric\":\"" + CLOSING
                + "\",\"source\":\"partition-" + partition + "\",\"value\":0}");
    }

    /** {@return the Kafka key of the closing record of a partition} */
    public static byte[] closingName(int partition) {
        return ascii(CLOSING + SEPARATOR + "partition-" + partition);
    }

    /** The finalizer of SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014. */
    private long mixed(long record) {
        long z = seed + (record + 1) * GOLDEN;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
