package io.updraft.bench.aggregate.data;

import java.nio.charset.StandardCharsets;

/**
 * Measurements that a seed gives, always the same: record {@code i} is about a metric of a source, and has a whole number for a
 * value. Event time rises with {@code i}, by as much as there are records in a window. Immutable.
 *
 * @param records how many
 * @param keys of how many pairs of metric and source
 * @param partitions how many partitions they are spread over, those of a key always in the same one
 * @param recordsPerWindow how many fall into a window
 * @param windowMillis how long a window is
 * @param seed which records
 */
public record Firehose(long records, int keys, int partitions, long recordsPerWindow, long windowMillis, long seed) {

    /** The first record's time: the beginning of a day. */
    public static final long START = 1_767_225_600_000L;
    /** The metric of the record that closes a partition, see {@link #closing}. */
    public static final String CLOSING = "closing";
    /** Between metric and source in a record's key. */
    public static final char SEPARATOR = '/';

    private static final int METRICS = 100;
    private static final int VALUES = 1_000_000;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /**
     * Records.
     *
     * @throws IllegalArgumentException when there are none, or fewer keys than partitions
     */
    public Firehose {
        if (records < 1 || recordsPerWindow < 1 || windowMillis < 1 || partitions < 1) {
            throw new IllegalArgumentException("records, windows and partitions are at least one");
        }
        if (keys < partitions) {
            throw new IllegalArgumentException(keys + " keys cannot fill " + partitions + " partitions");
        }
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

    /** {@return which partition a key's records are in} */
    public int partition(int key) {
        return key % partitions;
    }

    /** {@return how many windows there are; the last may be shorter of records than the others} */
    public int windows() {
        return Math.toIntExact((records + recordsPerWindow - 1) / recordsPerWindow);
    }

    /** {@return the end of the last window} */
    public long end() {
        return START + windows() * windowMillis;
    }

    /** {@return the metric of a key} */
    public static String metric(int key) {
        return String.format("metric.%03d", key % METRICS);
    }

    /** {@return the source of a key} */
    public static String source(int key) {
        return String.format("host-%05d", key / METRICS);
    }

    /** {@return metric and source of a key: the key of its records in Kafka} */
    public static byte[] name(int key) {
        return ascii(metric(key) + SEPARATOR + source(key));
    }

    /**
     * The record that follows the last one of a partition. Its time lies two windows behind the last window, so that whoever has
     * read it from every partition knows that all windows are over.
     *
     * @param partition which
     * @return its JSON
     */
    public byte[] closing(int partition) {
        return ascii("{\"time\":" + (end() + 2 * windowMillis) + ",\"metric\":\"" + CLOSING
                + "\",\"source\":\"partition-" + partition + "\",\"value\":0}");
    }

    /** {@return the key in Kafka of the record that closes a partition} */
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
