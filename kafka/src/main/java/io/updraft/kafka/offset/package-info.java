/**
 * What of a partition is done. Knows neither Kafka nor Storm: offsets are numbers that ascend, with gaps.
 */
package io.updraft.kafka.offset;
