package io.updraft.pipeline.run;

import io.updraft.servers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Records that were sent to Kafka, what must come out of them by window and metric, and what has come. Records are JSON with {@code at},
 * {@code metric} and {@code value}; results CSV with the window, the metric, count and sum. One thread only.
 */
final class KafkaTotals implements AutoCloseable {

    /** What one metric has in one window. */
    record Result(long count, long sum) {
        Result plus(Result other) {
            return new Result(count + other.count, sum + other.sum);
        }
    }

    private final Map<String, KafkaProducer<byte[], byte[]>> producers = new HashMap<>();
    private final Map<String, Result> expected = new HashMap<>();
    private final Map<String, Result> results = new HashMap<>();
    private final List<String> doubles = new ArrayList<>();
    private final long window;
    private KafkaConsumer<byte[], byte[]> consumer;

    /** In windows of a minute. */
    KafkaTotals() {
        this(Duration.ofMinutes(1));
    }

    KafkaTotals(Duration window) {
        this.window = window.toMillis();
    }

    /** The fields of such a record, for a pipeline, and what is made of them. */
    String query() {
        return """
                format: json
                flatten:
                  fields:
                    at: {type: time, format: millis}
                    metric: text
                    value: long
                aggregate:
                  group_by: [metric]
                  measures: {n: count(), total: sum(value)}
                  every: %dms
                """.formatted(window);
    }

    /** Which partition has the records of a metric. */
    static int partition(String metric, int partitions) {
        return Math.floorMod(metric.hashCode(), partitions);
    }

    void send(KafkaServer to, String topic, int partition, long time, String metric, int value) {
        String json = "{\"at\":" + time + ",\"metric\":\"" + metric + "\",\"value\":" + value + "}";
        producers
                .computeIfAbsent(to.bootstrap(), KafkaTotals::producer)
                .send(new ProducerRecord<>(topic, partition, null, json.getBytes(StandardCharsets.UTF_8)));
        expected.merge(key(Math.floorDiv(time, window) * window, metric), new Result(1, value), Result::plus);
    }

    void flush() {
        producers.values().forEach(KafkaProducer::flush);
    }

    /** Results are in this topic. */
    void readFrom(KafkaServer kafka, String topic, int partitions) {
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.bootstrap(), "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
        consumer.assign(all);
        consumer.seekToBeginning(all);
    }

    /** Reads what has come, and returns how many results that were. */
    int read(Duration wait) {
        int count = 0;
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
            String[] fields = new String(record.value(), StandardCharsets.UTF_8).split(",");
            String key = key(Instant.parse(fields[0]).toEpochMilli(), fields[2]);
            if (results.put(key, new Result(Long.parseLong(fields[3]), Long.parseLong(fields[4]))) != null) {
                doubles.add(key);
            }
            count++;
        }
        return count;
    }

    static String key(long window, String metric) {
        return window + " " + metric;
    }

    Map<String, Result> expected() {
        return expected;
    }

    Map<String, Result> results() {
        return results;
    }

    /** Results that have come again. */
    List<String> doubles() {
        return doubles;
    }

    /** How far it is, and some results that are not as they must be, for a message. */
    String state() {
        List<String> different = expected.keySet().stream()
                .filter(key -> !expected.get(key).equals(results.get(key)))
                .limit(20)
                .map(key -> key + ": " + expected.get(key) + " but " + results.get(key))
                .toList();
        return results.size() + " of " + expected.size() + " results, " + different;
    }

    private static KafkaProducer<byte[], byte[]> producer(String bootstrap) {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrap, "acks", "all", "linger.ms", "5"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    @Override
    public void close() {
        producers.values().forEach(producer -> producer.close(Duration.ZERO));
        if (consumer != null) {
            consumer.close();
        }
    }
}
