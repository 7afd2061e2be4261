package io.updraft.kafka.units;

import java.util.Comparator;

/**
 * One partition of one topic in one cluster. A work unit consists of such partitions.
 *
 * @param cluster the cluster's name in the configuration
 * @param topic the topic
 * @param partition the partition index, which is also the index of its unit
 */
public record UnitPartition(String cluster, String topic, int partition) implements Comparable<UnitPartition> {

    private static final Comparator<UnitPartition> ORDER = Comparator.comparing(UnitPartition::cluster)
            .thenComparing(UnitPartition::topic)
            .thenComparingInt(UnitPartition::partition);

    /** Returns the unit of this partition. */
    public WorkUnit unit() {
        return new WorkUnit(partition);
    }

    @Override
    public int compareTo(UnitPartition other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return cluster + "/" + topic + "-" + partition;
    }
}
