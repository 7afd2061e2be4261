package io.updraft.kafka.reader;

import java.util.HashMap;
import java.util.Map;

/**
 * How to read.
 *
 * @param client settings of Kafka's client, of which {@code bootstrap.servers} must be there; they win over the reader's own, but
 *     those of groups, offsets and deserializers are ignored
 * @param outOfRange where reading goes on when an offset is not in the log
 * @param queueBytes how much of one partition may wait for {@link KafkaReader#poll}; it is paused above
 * @param keys whether batches have the keys of records, too
 */
public record ReaderConfig(Map<String, Object> client, OutOfRange outOfRange, int queueBytes, boolean keys) {

    private static final int QUEUE_BYTES = 4 << 20;

    /** Where to go on when an offset is not in the log. */
    public enum OutOfRange {
        /** At the oldest record that there is. */
        EARLIEST,
        /** At the end. */
        LATEST,
        /** Nowhere: the partition fails. */
        FAIL
    }

    /** Copies the settings. */
    public ReaderConfig {
        client = Map.copyOf(client);
        if (!client.containsKey("bootstrap.servers")) {
            throw new IllegalArgumentException("bootstrap.servers is missing among the settings of Kafka's client");
        }
        if (queueBytes <= 0) {
            throw new IllegalArgumentException("queueBytes must be positive, not " + queueBytes);
        }
    }

    /**
     * Returns what most want: earliest when out of range, without keys.
     *
     * @param bootstrap {@code host:port} of some brokers, separated by commas
     * @return the configuration
     */
    public static ReaderConfig of(String bootstrap) {
        return new ReaderConfig(Map.of("bootstrap.servers", bootstrap), OutOfRange.EARLIEST, QUEUE_BYTES, false);
    }

    /**
     * Adds a setting of Kafka's client.
     *
     * @param key the setting, such as {@code isolation.level}
     * @param value its value
     * @return a configuration with it
     */
    public ReaderConfig with(String key, Object value) {
        Map<String, Object> more = new HashMap<>(client);
        more.put(key, value);
        return new ReaderConfig(more, outOfRange, queueBytes, keys);
    }

    /**
     * Sets what to do with an offset that is not in the log.
     *
     * @param policy where to go on
     * @return a configuration with it
     */
    public ReaderConfig withOutOfRange(OutOfRange policy) {
        return new ReaderConfig(client, policy, queueBytes, keys);
    }

    /**
     * Sets how much may wait.
     *
     * @param bytes of one partition
     * @return a configuration with it
     */
    public ReaderConfig withQueueBytes(int bytes) {
        return new ReaderConfig(client, outOfRange, bytes, keys);
    }

    /** {@return a configuration whose batches have the keys of records, too} */
    public ReaderConfig withKeys() {
        return new ReaderConfig(client, outOfRange, queueBytes, true);
    }
}
