package io.updraft.kafka.sink;

import io.updraft.kafka.units.UnitCommit;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes results to Kafka, and commits the positions up to which their units have been read. A writer keeps no results: it
 * requests them again when they must be sent again. Not thread-safe: one thread at a time.
 */
public interface ResultWriter extends AutoCloseable {

    /** The results of one commit. */
    interface Results {

        /**
         * Passes each result to {@code to}. Called once for each time that the results are sent. It must pass the same results
         * each time.
         *
         * @param to receives the results; may throw Kafka's exceptions, which must be passed on
         */
        void forEach(Consumer<ProducerRecord<byte[], byte[]>> to);
    }

    /**
     * Writes results and makes them durable, together with the positions of their units. Retries passing failures until the
     * patience is used up.
     *
     * @param units the positions and metadata of the units that the results come from
     * @throws io.updraft.kafka.units.FencedException if one of the units is no longer owned. Nothing was written; the results
     *     of other units may be committed without it
     * @throws WriteException if the commit failed for another reason
     */
    void commit(Results results, List<UnitCommit> units);

    /** Closes the connection. Drops results that were not committed. */
    @Override
    void close();
}
