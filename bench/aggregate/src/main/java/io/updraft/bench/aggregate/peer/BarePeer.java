package io.updraft.bench.aggregate.peer;

import io.updraft.base.thread.DaemonThreads;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * A lower bound for all systems on Kafka's public clients: the shortest program that does only this job. Each thread has a
 * consumer and a fixed share of the partitions. There is no configuration, no error check and no consumer group. The parser,
 * {@link BareRecord}, depends on the exact format of the bench's records.
 */
public final class BarePeer implements MeasuredPeer {

    /** Called by name. */
    public BarePeer() {}

    @Override
    public String title() {
        return "bare loop";
    }

    @Override
    public Map<String, String> settings(PeerJob job) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("threads", String.valueOf(job.parallelism()));
        settings.put("guarantee", "at least once");
        consumer(job).forEach((name, value) -> settings.put("consumer." + name, value.toString()));
        producer().forEach((name, value) -> settings.put("producer." + name, value.toString()));
        return settings;
    }

    @Override
    public void start(PeerJob job, Consumer<Throwable> failed) {
        for (int thread = 0; thread < job.parallelism(); thread++) {
            List<TopicPartition> partitions = share(job, thread);
            Runnable work = () -> {
                try (KafkaConsumer<ByteBuffer, ByteBuffer> consumer = consumer(job, partitions);
                        KafkaProducer<byte[], byte[]> producer = producer(job)) {
                    new BareLoop(job, consumer, producer, partitions.size()).run();
                } catch (RuntimeException e) {
                    failed.accept(e);
                }
            };
            DaemonThreads.start("bare-" + thread, work);
        }
    }

    static List<TopicPartition> share(PeerJob job, int thread) {
        return IntStream.range(0, job.partitions())
                .filter(partition -> partition % job.parallelism() == thread)
                .mapToObj(partition -> new TopicPartition(job.input(), partition))
                .toList();
    }

    static KafkaConsumer<ByteBuffer, ByteBuffer> consumer(PeerJob job, List<TopicPartition> partitions) {
        Map<String, Object> all = new LinkedHashMap<>(consumer(job));
        all.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, job.bootstrapServers());
        all.put(ConsumerConfig.GROUP_ID_CONFIG, job.output());
        all.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        KafkaConsumer<ByteBuffer, ByteBuffer> consumer = new KafkaConsumer<>(all, new View(false), new View(true));
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        return consumer;
    }

    /** Returns the consumer settings of Updraft's reader; {@code -c consumer.NAME=VALUE} overrides them. */
    static Map<String, Object> consumer(PeerJob job) {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1_000);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 4 << 20);
        settings.put(ConsumerConfig.RECEIVE_BUFFER_CONFIG, -1);
        settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        settings.putAll(job.optionsOf("consumer."));
        return settings;
    }

    private static Map<String, Object> producer() {
        return Map.of(ProducerConfig.LINGER_MS_CONFIG, 50, ProducerConfig.BATCH_SIZE_CONFIG, 1 << 17);
    }

    private static KafkaProducer<byte[], byte[]> producer(PeerJob job) {
        Map<String, Object> all = new LinkedHashMap<>(producer());
        all.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, job.bootstrapServers());
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** Returns the client's buffer without a copy, or null for keys, which are not needed. */
    private record View(boolean wanted) implements Deserializer<ByteBuffer> {

        @Override
        public ByteBuffer deserialize(String topic, org.apache.kafka.common.header.Headers headers, ByteBuffer data) {
            return wanted ? data : null;
        }

        @Override
        public ByteBuffer deserialize(String topic, byte[] data) {
            return wanted && data != null ? ByteBuffer.wrap(data) : null;
        }
    }
}
