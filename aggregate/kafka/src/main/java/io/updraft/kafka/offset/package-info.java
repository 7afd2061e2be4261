/**
 * Tracks which offsets of a partition are done. Depends on neither Kafka nor Storm: offsets are ascending numbers with gaps.
 */
package io.updraft.kafka.offset;
