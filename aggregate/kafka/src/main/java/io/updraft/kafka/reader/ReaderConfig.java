package io.updraft.kafka.reader;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The configuration of a {@link KafkaReader}.
 *
 * @param client settings of Kafka's client, which must contain {@code bootstrap.servers}; they override the reader's own
 *     settings, except that settings of groups, offsets and deserializers are ignored
 * @param outOfRange where reading continues when an offset is not in the log
 * @param queueBytes the most bytes of one partition that may wait for {@link KafkaReader#poll}; the partition is paused above
 *     it
 * @param keys whether chunks contain the keys of records
 * @param headers the names of the headers that chunks contain
 */
public record ReaderConfig(
        Map<String, Object> client, OutOfRange outOfRange, int queueBytes, boolean keys, List<String> headers) {

    private static final int QUEUE_BYTES = 4 << 20;

    /** Where to continue when an offset is not in the log. */
    public enum OutOfRange {
        /** At the oldest record. */
        EARLIEST,
        /** At the end of the log. */
        LATEST,
        /** Nowhere: the partition fails. */
        FAIL
    }

    /** Copies the settings. */
    public ReaderConfig {
        client = Map.copyOf(client);
        headers = List.copyOf(headers);
        if (!client.containsKey("bootstrap.servers")) {
            throw new IllegalArgumentException("set bootstrap.servers for Kafka's client: it is missing");
        }
        if (queueBytes <= 0) {
            throw new IllegalArgumentException("queueBytes must be positive, not " + queueBytes);
        }
    }

    /**
     * Returns a configuration with the defaults: earliest when out of range, 4 MiB queues, no keys, no headers.
     *
     * @param bootstrap {@code host:port} of some brokers, separated by commas
     */
    public static ReaderConfig of(String bootstrap) {
        return new ReaderConfig(
                Map.of("bootstrap.servers", bootstrap), OutOfRange.EARLIEST, QUEUE_BYTES, false, List.of());
    }

    /** Returns the settings of an admin client of the same cluster. */
    public Map<String, Object> admin() {
        return KafkaClientSettings.ofAdmin(this);
    }

    /** Adds a setting of Kafka's client. */
    public ReaderConfig with(String key, Object value) {
        Map<String, Object> more = new HashMap<>(client);
        more.put(key, value);
        return new ReaderConfig(more, outOfRange, queueBytes, keys, headers);
    }

    /** Sets what to do with an offset that is not in the log. */
    public ReaderConfig withOutOfRange(OutOfRange policy) {
        return new ReaderConfig(client, policy, queueBytes, keys, headers);
    }

    /** {@return a configuration whose chunks contain the keys of records} */
    public ReaderConfig withKeys() {
        return new ReaderConfig(client, outOfRange, queueBytes, true, headers);
    }

    /** {@return a configuration whose chunks contain the last header of each of these names} */
    public ReaderConfig withHeaders(List<String> names) {
        return new ReaderConfig(client, outOfRange, queueBytes, keys, names);
    }
}
