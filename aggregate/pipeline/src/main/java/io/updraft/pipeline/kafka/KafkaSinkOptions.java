package io.updraft.pipeline.kafka;

import io.updraft.kafka.share.ShareCoordinator;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkOptions;
import io.updraft.pipeline.text.ResultFormat;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Results in a topic of Kafka. The key of a record is the dimensions of its group; the time of a record is the start of its
 * window.
 *
 * @param topic the topic, which must exist
 * @param format the format of keys and values: CSV (the columns in order, without a header line) or JSON (an object)
 * @param transactionalId the id of a writer that commits results and positions in one transaction; unique among running
 *     processes. Null for a writer that is only idempotent: a crash may write results again
 * @param group the consumer group whose positions are committed with the results; null without a {@code transactionalId}, or to
 *     leave positions to the source
 * @param client the settings of the producer, including {@code bootstrap.servers}
 */
public record KafkaSinkOptions(
        String topic, ResultFormat format, String transactionalId, String group, Map<String, String> client)
        implements SinkOptions {

    private static final String KNOWN_WITHIN_MS = "5000";

    /**
     * Checks the values. Throws an {@link IllegalArgumentException} when a setting is missing, or the format is not one for
     * records.
     */
    public KafkaSinkOptions {
        client = Map.copyOf(client);
        if (format == ResultFormat.PARQUET) {
            throw new IllegalArgumentException("Kafka records are CSV or JSON, not Parquet: change 'format'");
        }
        if (client.getOrDefault("bootstrap.servers", "").isBlank()) {
            throw new IllegalArgumentException("a Kafka sink needs 'bootstrap' (bootstrap.servers)");
        }
        if (group != null && transactionalId == null) {
            throw new IllegalArgumentException(
                    "positions are committed with results only in a transaction: add 'transactional_id'");
        }
    }

    /**
     * Returns a sink that does not commit positions. Throws an {@link IllegalArgumentException} when the options request
     * commits of positions.
     */
    @Override
    public ResultSink sink() {
        if (group != null) {
            throw new IllegalArgumentException("topic " + topic + ": the positions of group " + group
                    + " can be committed with results only if the source is Kafka; leave the group out");
        }
        return new KafkaSink(this);
    }

    /** Returns a sink that commits positions with results, through the coordinator of the source. */
    public ResultSink sink(ShareCoordinator coordinator) {
        return new TransactionalKafkaSink(this, coordinator);
    }

    @Override
    public boolean keepsPositions() {
        return group != null;
    }

    /** Returns a text with the servers, but without other settings of the producer such as passwords. */
    @Override
    public String toString() {
        return "KafkaSinkOptions[topic=" + topic + ", format=" + format + ", transactionalId=" + transactionalId
                + ", group=" + group + ", servers=" + client.get("bootstrap.servers") + "]";
    }

    /** Returns the topic and its cluster for messages, without secrets. */
    public static String where(Map<String, String> client, String topic) {
        return "topic " + topic + " at " + client.get("bootstrap.servers");
    }

    /**
     * Checks that a topic exists before anything is sent to it, since a producer would wait as long as for slow brokers. Throws
     * a {@link org.apache.kafka.common.KafkaException} when the topic is not found within some seconds.
     */
    static void check(Map<String, String> client, String topic) {
        Map<String, Object> settings = new HashMap<>(client);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, KNOWN_WITHIN_MS);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.partitionsFor(topic);
        }
    }
}
