package io.updraft.pipeline.kafka;

import java.time.Duration;
import java.util.List;

/**
 * How the partitions of a Kafka source are used.
 *
 * @param keyed whether each share is processed separately from the others, so that shares may be assigned and revoked one by one
 * @param idle how long a partition may be without a record before an idle event; zero for never
 * @param giveUp how long a cluster, or the broker of a partition, may be without an answer before the source fails; null for no
 *     limit
 * @param keys whether chunks contain the keys of records
 * @param headers the names of the headers that chunks contain
 */
public record KafkaReadOptions(
        boolean keyed, boolean tracked, Duration idle, Duration giveUp, boolean keys, List<String> headers) {}
