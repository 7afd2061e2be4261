package io.updraft.kafka.router;

import java.time.Duration;

/** Sends records to one target. Implemented by Kafka's producer, and by tests. */
interface Lane extends AutoCloseable {

    /** Sends a record, and may block for a while. Calls back exactly once, on any thread. */
    void send(int partition, byte[] key, byte[] value, Callback callback);

    void close(Duration patience);

    @Override
    default void close() {
        close(Duration.ZERO);
    }

    /** Receives the outcome of a record. */
    interface Callback {

        /** Called with the record's offset, or with an exception. */
        void done(long offset, Exception failure);
    }
}
