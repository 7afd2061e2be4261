package io.updraft.kafka.sink;

import io.updraft.kafka.units.UnitCommit;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes results to Kafka, and commits how far the units that they come from have been read. A writer keeps none of the results: those
 * that have to be sent again it asks for again. Not thread-safe: one thread at a time.
 */
public interface ResultWriter extends AutoCloseable {

    /** The results of one commit. */
    interface Results {

        /**
         * Hands over each of them. Called once for each time that they are sent, and has the same results each time.
         *
         * @param to takes them; may throw Kafka's exceptions, which are to be passed on
         */
        void forEach(Consumer<ProducerRecord<byte[], byte[]>> to);
    }

    /**
     * Writes results and makes them durable, together with how far the units have come. Tries again by itself, until its patience
     * is over, what can be tried again.
     *
     * @param results what is to be written
     * @param units positions and metadata of those units that the results come from
     * @throws io.updraft.kafka.units.FencedException if one of the units is no longer owned. Nothing was written; what comes from other
     *     units may be committed without it
     * @throws WriteException if it did not work otherwise
     */
    void commit(Results results, List<UnitCommit> units);

    /** Frees the connection. What was not committed is dropped. */
    @Override
    void close();
}
