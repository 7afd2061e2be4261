/** Writes results to Kafka, exactly once or at least once, together with the positions that they come from. */
package io.updraft.kafka.sink;
