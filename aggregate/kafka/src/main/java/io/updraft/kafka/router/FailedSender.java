package io.updraft.kafka.router;

/** Replaces a producer that could not be created because of wrong settings. Fails every record. */
record FailedSender(RuntimeException cause) implements RecordSender {

    @Override
    public void send(int partition, byte[] key, byte[] value, Callback callback) {
        callback.done(-1, cause);
    }

    @Override
    public void close() {
        // Nothing was opened.
    }
}
