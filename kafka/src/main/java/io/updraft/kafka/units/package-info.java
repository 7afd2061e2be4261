/**
 * Work units and who owns them: N copies of one process share the partitions of one or several Kafka clusters.
 *
 * <p>A {@link io.updraft.kafka.units.WorkUnit} is a partition index; a {@link io.updraft.kafka.units.Coordinator} says
 * which units this process owns, keeps how far each has come, and lets nobody but the owner write that down.
 */
package io.updraft.kafka.units;
