/** Reads from and writes to Kafka. */
package io.updraft.kafka;
