package io.updraft.kafka.router;

import org.apache.kafka.common.utils.Utils;

/** Computes the partition index of a key, as Kafka's default partitioner does, so that other producers agree. */
public final class KeyPartition {

    private KeyPartition() {}

    /** Returns the murmur2 hash of the key modulo the number of partitions. */
    public static int of(byte[] key, int partitions) {
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }
}
