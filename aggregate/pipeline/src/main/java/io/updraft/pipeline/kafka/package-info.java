/** Kafka as a source and as a sink: shares, offsets, topics, transactions. */
package io.updraft.pipeline.kafka;
