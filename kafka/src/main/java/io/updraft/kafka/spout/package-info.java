/**
 * A spout that reads Kafka by a {@link io.updraft.kafka.reader.KafkaReader} and tracks offsets by an
 * {@link io.updraft.kafka.offset.OffsetTracker}, for any topology.
 */
package io.updraft.kafka.spout;
