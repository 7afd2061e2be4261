/** Kafka as a source and a sink. */
package io.updraft.kafka;
