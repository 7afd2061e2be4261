package io.updraft.bench.aggregate;

import java.nio.charset.StandardCharsets;

/** Writes the JSON of measurements, about 100 bytes each, from prepared parts per key. Immutable. */
final class RecordWriter {

    private final byte[][] names;
    private final String[] middles;

    /** Creates a writer and prepares the JSON parts of {@code keys} keys. */
    public RecordWriter(int keys) {
        names = new byte[keys][];
        middles = new String[keys];
        for (int key = 0; key < keys; key++) {
            names[key] = MeasurementSequence.name(key);
            middles[key] = ",\"metric\":\"" + MeasurementSequence.metric(key) + "\",\"source\":\""
                    + MeasurementSequence.source(key) + "\",\"zone\":\"eu-" + key % 3 + "\",\"value\":";
        }
    }

    /** {@return the Kafka key of a key's records; callers must not change the array} */
    public byte[] name(int key) {
        return names[key];
    }

    public byte[] json(long time, int key, long value) {
        return ("{\"time\":" + time + middles[key] + value + ",\"unit\":\"ms\"}").getBytes(StandardCharsets.ISO_8859_1);
    }
}
