/**
 * Divides the partitions of one or several Kafka clusters among N copies of a process, as work units.
 *
 * <p>A {@link io.updraft.kafka.units.WorkUnit} is a partition index. A {@link io.updraft.kafka.units.Coordinator} assigns units
 * to this process and stores the progress of each unit. Only the owner of a unit may commit its progress.
 */
package io.updraft.kafka.units;
