/** Shares: the partitions that one process of a group owns, with their positions, through a consumer group. */
package io.updraft.kafka.share;
