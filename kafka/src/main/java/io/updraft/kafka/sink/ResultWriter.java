package io.updraft.kafka.sink;

import io.updraft.kafka.units.UnitCommit;
import java.util.List;

/**
 * Writes results to Kafka, and commits how far the units that they come from have been read. Between two commits the
 * writer keeps what was written, so that it can write it again. Not thread-safe: one thread at a time.
 */
public interface ResultWriter extends AutoCloseable {

    /** The partition of a record that goes where its key's hash says, as with Kafka's default partitioner. */
    int BY_KEY = -1;

    /**
     * Writes one record; it is sent in batches, in the background.
     *
     * @param topic where to
     * @param partition the partition's index, or {@link #BY_KEY}
     * @param key may be null
     * @param value may be null
     */
    void write(String topic, int partition, byte[] key, byte[] value);

    /**
     * Makes durable what was written since the last commit, and how far the units have come. Tries again by itself, until
     * its patience is over, what can be tried again.
     *
     * @param units positions and metadata of those units that the written results come from
     * @throws io.updraft.kafka.units.FencedException if one of the units is no longer owned. What was written is dropped;
     *     what comes from other units must be read again from their last commit
     * @throws WriteException if it did not work otherwise
     */
    void commit(List<UnitCommit> units);

    /** Drops what was written since the last commit. */
    void discard();

    /** Drops what was written since the last commit, and frees the connection. */
    @Override
    void close();
}
