package io.updraft.kafka.router;

import java.time.Duration;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/** Sends records to one target. Implemented by Kafka's producer, and by tests. */
interface RecordSender extends AutoCloseable {

    /** Sends a record, and may block for a while. Calls back exactly once, on any thread. */
    void send(int partition, byte[] key, byte[] value, Callback callback);

    /** Ends sending. Does not wait for records. */
    @Override
    default void close() {}

    interface Callback {

        /** Called with the record's offset, or with an exception. */
        void done(long offset, Exception failure);
    }

    final class OfProducer implements RecordSender {

        private final String topic;
        private final KafkaProducer<byte[], byte[]> producer;

        OfProducer(RouterSettings settings, RouterSettings.Target target) {
            this.topic = target.topic();
            this.producer = new KafkaProducer<>(settings.producerProperties(target));
        }

        @Override
        public void send(int partition, byte[] key, byte[] value, Callback callback) {
            try {
                producer.send(
                        new ProducerRecord<>(topic, partition, key, value),
                        (metadata, failure) -> callback.done(failure == null ? metadata.offset() : -1, failure));
            } catch (KafkaException | IllegalStateException e) {
                // The producer throws in place of calling back when it is interrupted or closed.
                callback.done(-1, e);
            }
        }

        @Override
        public void close() {
            producer.close(Duration.ZERO);
        }
    }
}
