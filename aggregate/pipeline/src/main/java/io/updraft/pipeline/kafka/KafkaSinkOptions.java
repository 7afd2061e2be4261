package io.updraft.pipeline.kafka;

import io.updraft.kafka.share.ShareCoordinator;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkOptions;
import io.updraft.pipeline.text.ResultFormat;
import java.util.Map;

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
}
