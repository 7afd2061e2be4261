package io.updraft.pipeline.process;

import io.updraft.servers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
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

    private static final String TICK = "tick";
    private static final int PATIENCE_MILLIS = (int) Duration.ofMinutes(8).toMillis();

    private final Map<String, KafkaProducer<byte[], byte[]>> producers = new HashMap<>();
    private final Map<String, Result> expected = new HashMap<>();
    private final Map<String, Result> results = new HashMap<>();
    private final List<String> doubles = new ArrayList<>();
    private final AtomicReference<Exception> refused = new AtomicReference<>();
    private final Random random = new Random(3);
    private final long window;
    private long lastTime = Long.MIN_VALUE;
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
        produce(to, topic, partition, time, metric, value);
        lastTime = Math.max(lastTime, time);
        expected.merge(key(Math.floorDiv(time, window) * window, metric), new Result(1, value), Result::plus);
    }

    /**
     * Sends records of a time after which no more come, so that all windows before it end however long anybody takes: a pipeline that
     * waits until partitions are quiet would take them for quiet too when the one who fills them, or the broker, is held up. Each
     * partition needs one, or each task one of each partition where any of them may get it; so this is called again and again, and
     * takes one half of the partitions, another one each time.
     */
    void sendEnd(KafkaServer to, String topic, int partitions) {
        long end = lastTime + Duration.ofHours(1).toMillis() + window;
        for (int partition = 0; partition < partitions; partition++) {
            if (random.nextBoolean()) {
                produce(to, topic, partition, end, "end", 0);
            }
        }
    }

    /** Sends a record of now to each partition, which counts nowhere: time goes on with records only. */
    void tick(KafkaServer to, String topic, int partitions) {
        for (int partition = 0; partition < partitions; partition++) {
            produce(to, topic, partition, System.currentTimeMillis(), TICK, 0);
        }
    }

    private void produce(KafkaServer to, String topic, int partition, long time, String metric, int value) {
        sendText(to, topic, partition, "{\"at\":" + time + ",\"metric\":\"" + metric + "\",\"value\":" + value + "}");
    }

    /** Sends a record of which nothing is expected. */
    void sendText(KafkaServer to, String topic, int partition, String json) {
        producers
                .computeIfAbsent(to.bootstrap(), KafkaTotals::producer)
                .send(
                        new ProducerRecord<>(topic, partition, null, json.getBytes(StandardCharsets.UTF_8)),
                        (metadata, failure) -> refused.compareAndSet(null, failure));
    }

    void flush() {
        producers.values().forEach(KafkaProducer::flush);
        checkSent();
    }

    private void checkSent() {
        if (refused.get() != null) {
            throw new AssertionError("a record of the test itself was not sent", refused.get());
        }
    }

    /** Results are in this topic. */
    void readFrom(KafkaServer kafka, String topic, int partitions) {
        consumer = kafka.consumer("isolation.level", "read_committed");
        List<TopicPartition> all = IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
        consumer.assign(all);
        consumer.seekToBeginning(all);
    }

    /** Reads what has come, and returns how many results that were. */
    int read(Duration wait) {
        checkSent();
        int count = 0;
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(wait)) {
            String line = new String(record.value(), StandardCharsets.UTF_8);
            if (line.split(",")[2].equals(TICK)) {
                continue;
            }
            Map.Entry<String, Result> result = result(line);
            if (results.put(result.getKey(), result.getValue()) != null) {
                doubles.add(result.getKey());
            }
            count++;
        }
        return count;
    }

    /** A line of CSV. */
    static Map.Entry<String, Result> result(String line) {
        String[] fields = line.split(",");
        return Map.entry(
                key(Instant.parse(fields[0]).toEpochMilli(), fields[2]),
                new Result(Long.parseLong(fields[3]), Long.parseLong(fields[4])));
    }

    /** The window's key, for a record of a time. */
    String key(String metric, long time) {
        return key(Math.floorDiv(time, window) * window, metric);
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
                Map.of(
                        "bootstrap.servers",
                        bootstrap,
                        "acks",
                        "all",
                        "linger.ms",
                        "5",
                        // As long as any test may take: what is not sent can never be counted.
                        "max.block.ms",
                        PATIENCE_MILLIS,
                        "delivery.timeout.ms",
                        PATIENCE_MILLIS),
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
