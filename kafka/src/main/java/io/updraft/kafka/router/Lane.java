package io.updraft.kafka.router;

import java.time.Duration;

/** How records reach one target; Kafka's producer, or a test's. */
interface Lane extends AutoCloseable {

    /** Sends, and may wait for a while; then calls back, on any thread, exactly once. */
    void send(int partition, byte[] key, byte[] value, Callback callback);

    void close(Duration patience);

    @Override
    default void close() {
        close(Duration.ZERO);
    }

    /** What came of it. */
    interface Callback {

        /** Offset of the record, or an exception. */
        void done(long offset, Exception failure);
    }
}
