package io.updraft.bench.aggregate.data;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the JSON of measurements, about 100 bytes each, from prepared parts per key. One thread only. */
public final class RecordWriter {

    private static final byte[] TIME = ascii("{\"time\":");
    private static final byte[] VALUE = ascii(",\"value\":");
    private static final byte[] END = ascii(",\"unit\":\"ms\"}");
    private static final int LONGEST_NUMBER = 20;

    private final byte[][] names;
    private final byte[][] middles;
    private final byte[] buffer = new byte[512];
    private int length;

    /** Creates a writer and prepares the JSON parts of {@code keys} keys. */
    public RecordWriter(int keys) {
        names = new byte[keys][];
        middles = new byte[keys][];
        for (int key = 0; key < keys; key++) {
            names[key] = MeasurementSequence.name(key);
            middles[key] = ascii(",\"metric\":\"" + MeasurementSequence.metric(key) + "\",\"source\":\""
                    + MeasurementSequence.source(key) + "\",\"zone\":\"eu-" + key % 3 + "\"");
        }
    }

    /** {@return the Kafka key of a key's records; callers must not change the array} */
    public byte[] name(int key) {
        return names[key];
    }

    /** {@return a record's JSON, in a new array} */
    public byte[] json(long time, int key, long value) {
        length = 0;
        put(TIME);
        put(time);
        put(middles[key]);
        put(VALUE);
        put(value);
        put(END);
        return Arrays.copyOf(buffer, length);
    }

    private void put(byte[] bytes) {
        System.arraycopy(bytes, 0, buffer, length, bytes.length);
        length += bytes.length;
    }

    /** Appends a number, which must not be negative. */
    private void put(long number) {
        int at = length + LONGEST_NUMBER;
        long rest = number;
        do {
            buffer[--at] = (byte) ('0' + rest % 10);
            rest /= 10;
        } while (rest > 0);
        int digits = length + LONGEST_NUMBER - at;
        System.arraycopy(buffer, at, buffer, length, digits);
        length += digits;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
