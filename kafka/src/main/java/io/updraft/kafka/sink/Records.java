package io.updraft.kafka.sink;

import org.apache.kafka.clients.producer.ProducerRecord;

/** Makes Kafka's records. */
final class Records {

    private Records() {}

    static ProducerRecord<byte[], byte[]> of(String topic, int partition, byte[] key, byte[] value) {
        return new ProducerRecord<>(topic, partition == ResultWriter.BY_KEY ? null : partition, key, value);
    }
}
