package io.updraft.kafka.router;

import org.apache.kafka.common.utils.Utils;

/** The partition index of a key, as Kafka's default partitioner has it, so that other producers agree. */
public final class KeyPartition {

    private KeyPartition() {}

    /**
     * Hashes by murmur2 and takes what is left after division.
     *
     * @param key the key's bytes
     * @param partitions how many there are
     * @return from 0 to {@code partitions - 1}
     */
    public static int of(byte[] key, int partitions) {
        return Utils.toPositive(Utils.murmur2(key)) % partitions;
    }
}
