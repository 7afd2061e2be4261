package io.updraft.pipeline.sink;

import java.util.Map;
import java.util.Objects;

/**
 * Results in a topic of Kafka: the key of a record is its group's dimensions, its time is the window's start.
 *
 * @param topic which must be there
 * @param format of keys and values: CSV (the columns in their order, no line of names) or JSON (an object)
 * @param transactionalId of a writer that keeps results and positions in one transaction; no two processes at a time have the same.
 *     Null for one that is idempotent only: a crash may write results again
 * @param group whose positions are committed with results; null without a {@code transactionalId}, or to leave positions alone
 * @param client settings of the producer, {@code bootstrap.servers} among them
 */
public record KafkaSinkOptions(
        String topic, FileFormat format, String transactionalId, String group, Map<String, String> client)
        implements SinkOptions {

    /**
     * A topic.
     *
     * @throws IllegalArgumentException when something is missing, or the format is none of a record
     */
    public KafkaSinkOptions {
        Objects.requireNonNull(topic, "topic");
        client = Map.copyOf(client);
        if (format == FileFormat.PARQUET) {
            throw new IllegalArgumentException("records of Kafka are CSV or JSON, not Parquet");
        }
        if (client.getOrDefault("bootstrap.servers", "").isBlank()) {
            throw new IllegalArgumentException("a Kafka sink needs bootstrap.servers");
        }
        if (group != null && transactionalId == null) {
            throw new IllegalArgumentException(
                    "positions are committed with results only in a transaction: give a transactional id");
        }
    }

    /**
     * A sink that leaves positions alone.
     *
     * @throws IllegalArgumentException when it was told to commit positions: {@link Sinks#create} makes those, of the source's cluster
     */
    @Override
    public Sink sink() {
        if (group != null) {
            throw new IllegalArgumentException("topic " + topic + ": the positions of group " + group
                    + " can be committed with results only if the source is Kafka; leave the group out");
        }
        return new KafkaSink(this);
    }

    /** Without the settings of the producer, passwords among them, but where it connects to. */
    @Override
    public String toString() {
        return "KafkaSinkOptions[topic=" + topic + ", format=" + format + ", transactionalId=" + transactionalId
                + ", group=" + group + ", servers=" + client.get("bootstrap.servers") + "]";
    }
}
