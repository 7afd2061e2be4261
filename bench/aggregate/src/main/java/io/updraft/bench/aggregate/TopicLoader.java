package io.updraft.bench.aggregate;

import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Writes a {@link MeasurementSequence} to a topic as fast as one thread can. */
final class TopicLoader {

    private static final int BATCH_BYTES = 256 << 10;
    private static final long BUFFER_BYTES = 128L << 20;

    private TopicLoader() {}

    /**
     * Writes all records, and after the last record of each partition its closing record.
     *
     * @throws IllegalStateException when a record could not be written
     */
    public static void load(MeasurementSequence firehose, String bootstrapServers, String topic) {
        AtomicReference<Exception> failure = new AtomicReference<>();
        try (KafkaProducer<byte[], byte[]> producer = producer(bootstrapServers)) {
            RecordWriter writer = new RecordWriter(firehose.keys());
            for (long i = 0; i < firehose.records() && failure.get() == null; i++) {
                int key = firehose.key(i);
                byte[] json = writer.json(firehose.time(i), key, firehose.value(i));
                producer.send(
                        new ProducerRecord<>(topic, firehose.partition(key), writer.name(key), json), (done, e) -> {
                            if (e != null) {
                                failure.compareAndSet(null, e);
                            }
                        });
            }
            for (int partition = 0; partition < firehose.partitions(); partition++) {
                producer.send(new ProducerRecord<>(
                        topic, partition, MeasurementSequence.closingName(partition), firehose.closing(partition)));
            }
        }
        if (failure.get() != null) {
            throw new IllegalStateException("cannot write to topic " + topic + ": " + failure.get(), failure.get());
        }
    }

    /** {@return a producer for many small records} */
    public static KafkaProducer<byte[], byte[]> producer(String bootstrapServers) {
        return new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrapServers,
                        ProducerConfig.BATCH_SIZE_CONFIG,
                        BATCH_BYTES,
                        ProducerConfig.BUFFER_MEMORY_CONFIG,
                        BUFFER_BYTES,
                        ProducerConfig.LINGER_MS_CONFIG,
                        50,
                        // When requests time out on a busy machine, several requests in flight can get out of
                        // sequence for good.
                        ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                        1),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }
}
