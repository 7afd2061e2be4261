package io.updraft.kafka.spout;

import io.updraft.kafka.reader.KafkaChunk;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes dead letters to a topic. The spout's thread calls it; the producer's thread only queues the outcome of each write. */
final class DeadLetterTopic implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterTopic.class);

    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Queue<RecordId> written = new ConcurrentLinkedQueue<>();
    private final Queue<RecordId> refused = new ConcurrentLinkedQueue<>();

    DeadLetterTopic(PartitionSpoutConfig config) {
        topic = config.deadLetterTopic;
        Map<String, Object> settings = new HashMap<>(config.client);
        settings.keySet().retainAll(ProducerConfig.configNames());
        settings.put(ProducerConfig.ACKS_CONFIG, "all");
        producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    void write(RecordId id) {
        KafkaChunk chunk = id.held.chunk;
        ProducerRecord<byte[], byte[]> letter =
                new ProducerRecord<>(topic, chunk.key(id.record), chunk.value(id.record));
        letter.headers()
                .add("updraft.topic", text(id.topic()))
                .add("updraft.partition", text(Integer.toString(id.partition())))
                .add("updraft.offset", text(Long.toString(id.offset())))
                .add("updraft.failures", text(Integer.toString(id.attempt + 1)));
        producer.send(letter, (metadata, failure) -> {
            if (failure == null) {
                written.add(id);
            } else {
                LOG.error(
                        "the dead letter of {} could not be written to topic {}; retrying: {}",
                        id,
                        topic,
                        failure.toString());
                refused.add(id);
            }
        });
    }

    /**
     * Passes the records whose dead letters were written since the last call to {@code done}, and sends the dead letters that
     * failed again.
     */
    void settle(Consumer<RecordId> done) {
        for (RecordId id = written.poll(); id != null; id = written.poll()) {
            done.accept(id);
        }
        for (int i = refused.size(); i > 0; i--) {
            write(refused.remove());
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(2));
    }
}
