package io.updraft.pipeline.source;

import java.time.Duration;

/**
 * How the partitions of a Kafka source are used.
 *
 * @param keyed whether each unit is worked on apart from the others, so that units may come and go one by one
 * @param tracked whether it is committed how far partitions are done
 * @param idle after how long without a record a partition is told to be idle; zero for never
 * @param giveUp after how long without an answer of a cluster, or of a partition's broker, the source fails; null for never
 */
public record KafkaReading(boolean keyed, boolean tracked, Duration idle, Duration giveUp) {}
