/** Work units: partitions that the processes of a group share, with their positions, through a consumer group. */
package io.updraft.kafka.unit;
