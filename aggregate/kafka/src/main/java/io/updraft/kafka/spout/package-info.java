/**
 * A spout for any topology. It reads Kafka with a {@link io.updraft.kafka.reader.KafkaReader} and tracks offsets with an
 * {@link OffsetTracker}.
 */
package io.updraft.kafka.spout;
