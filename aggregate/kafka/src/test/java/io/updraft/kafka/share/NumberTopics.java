package io.updraft.kafka.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The input numbers of {@link CopyWorker}s, the expected sums, and the results. */
final class NumberTopics implements AutoCloseable {

    /** One result: the sum of a partition's numbers from one offset to another, by the owner of an epoch. */
    record Sum(String partition, long epoch, long from, long to, long sum) {}

    private final Random random;
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> results;
    final Map<String, Long> totals = new TreeMap<>();
    final Map<String, Long> counts = new TreeMap<>();
    final List<Sum> sums = new ArrayList<>();
    private final Map<String, Long> ends = new TreeMap<>();

    /** Results are read from this cluster, to which numbers are sent too. */
    NumberTopics(String bootstrap, String results, long seed) {
        random = new Random(seed);
        producer = producer(bootstrap);
        this.results = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        TopicPartition sums = new TopicPartition(results, 0);
        this.results.assign(List.of(sums));
        this.results.seekToBeginning(List.of(sums));
    }

    private static KafkaProducer<byte[], byte[]> producer(String bootstrap) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "linger.ms", "5"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** Sends to a topic of another cluster, once. */
    void sendTo(String bootstrap, String topic, int partitions, int count) {
        try (KafkaProducer<byte[], byte[]> other = producer(bootstrap)) {
            send(other, List.of(topic), partitions, count);
        }
    }

    void send(List<String> topics, int partitions, int count) {
        send(producer, topics, partitions, count);
    }

    private void send(KafkaProducer<byte[], byte[]> producer, List<String> topics, int partitions, int count) {
        for (int i = 0; i < count; i++) {
            String topic = topics.get(random.nextInt(topics.size()));
            int partition = random.nextInt(partitions);
            int number = random.nextInt(1_000_000);
            producer.send(new ProducerRecord<>(
                    topic,
                    partition,
                    null,
                    ByteBuffer.allocate(4).putInt(number).array()));
            totals.merge(topic + " " + partition, (long) number, Long::sum);
            counts.merge(topic + " " + partition, 1L, Long::sum);
        }
        producer.flush();
    }

    /** Reads results that are there now; true if every number sent is in one at least. */
    boolean poll() {
        for (ConsumerRecord<byte[], byte[]> record : results.poll(Duration.ofMillis(50))) {
            String[] words = new String(record.value(), StandardCharsets.UTF_8).split(" ");
            Sum sum = new Sum(
                    words[0] + " " + words[1],
                    Long.parseLong(words[2]),
                    Long.parseLong(words[3]),
                    Long.parseLong(words[4]),
                    Long.parseLong(words[5]));
            sums.add(sum);
            ends.merge(sum.partition, sum.to, Math::max);
        }
        return ends.equals(counts);
    }

    /** Each number is in exactly one result, and later offsets were never read by an earlier owner. */
    void checkExactlyOnce() {
        Map<String, Long> read = new TreeMap<>();
        Map<String, Long> total = new TreeMap<>();
        Map<String, Long> epoch = new TreeMap<>();
        sums.stream().sorted(Comparator.comparingLong(Sum::from)).forEach(sum -> {
            assertThat(sum.from).as("start of %s", sum).isEqualTo(read.getOrDefault(sum.partition, 0L));
            assertThat(sum.epoch).as("epoch of %s", sum).isGreaterThanOrEqualTo(epoch.getOrDefault(sum.partition, -1L));
            read.put(sum.partition, sum.to);
            epoch.put(sum.partition, sum.epoch);
            total.merge(sum.partition, sum.sum, Long::sum);
        });
        assertThat(read).isEqualTo(counts);
        assertThat(total).isEqualTo(totals);
    }

    @Override
    public void close() {
        producer.close();
        results.close();
    }
}
