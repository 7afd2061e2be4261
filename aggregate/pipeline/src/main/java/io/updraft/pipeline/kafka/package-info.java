/** Kafka as a source and as a sink: work units, offsets, topics, transactions. */
package io.updraft.pipeline.kafka;
