package io.updraft.kafka.router;

/** Sends records to one target. Implemented by Kafka's producer, and by tests. */
interface RecordSender extends AutoCloseable {

    /** Sends a record, and may block for a while. Calls back exactly once, on any thread. */
    void send(int partition, byte[] key, byte[] value, Callback callback);

    /** Ends sending. Does not wait for records. */
    @Override
    void close();

    /** Receives the outcome of a record. */
    interface Callback {

        /** Called with the record's offset, or with an exception. */
        void done(long offset, Exception failure);
    }
}
