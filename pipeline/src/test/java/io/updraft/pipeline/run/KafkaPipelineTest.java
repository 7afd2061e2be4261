package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.servers.KafkaServer;
import io.updraft.servers.ZooKeeperServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From Kafka to Kafka, through several processes that are killed while they work. */
@Tag("slow")
final class KafkaPipelineTest {

    private static final int PARTITIONS = 8;
    private static final int KEYS = 200;
    private static final int PROCESSES = 3;

    /** Long ago, so that quiet partitions are moved on by the clock. */
    private static final long BEGIN = 1_357_000_000_000L;

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private record Result(long count, long sum) {}

    @TempDir
    Path directory;

    private static KafkaServer kafka;
    private static ZooKeeperServer zooKeeper;

    @BeforeAll
    static void start() {
        kafka = KafkaServer.start();
        zooKeeper = ZooKeeperServer.start();
    }

    @AfterAll
    static void stop() {
        if (zooKeeper != null) {
            zooKeeper.close();
        }
        if (kafka != null) {
            kafka.close();
        }
    }

    @Test
    void shouldCountEachRecordOnceWhereKafkaSharesOutPartitions() throws Exception {
        shouldCountEachRecordHoweverProcessesDie("group", true, "", true, 4);
    }

    @Test
    void shouldCountEachRecordOnceWhereKeysAreInAnyPartition() throws Exception {
        shouldCountEachRecordHoweverProcessesDie("sole", false, "", true, 4);
    }

    @Test
    void shouldCountEachRecordOnceWhereZooKeeperSharesOutPartitions() throws Exception {
        shouldCountEachRecordHoweverProcessesDie("zookeeper", true, zooKeeper(), true, 4);
    }

    /** At least once: windows are written again, with the same values. */
    @Test
    void shouldGiveTheSameResultsHoweverOftenWhereZooKeeperSharesOutPartitions() throws Exception {
        shouldCountEachRecordHoweverProcessesDie("often", true, zooKeeper(), false, 2);
    }

    private static String zooKeeper() {
        return ", zookeeper: \"" + zooKeeper.address() + "\"";
    }

    private void shouldCountEachRecordHoweverProcessesDie(
            String name, boolean keyed, String coordinator, boolean once, int mostKills) throws Exception {
        int records = 50_000 * mostKills;
        kafka.createTopic(name + "-in", PARTITIONS, 1);
        kafka.createTopic(name + "-out", 4, 1);
        Random random = new Random(7);
        Map<String, Result> expected = new HashMap<>();
        Map<String, Result> results = new HashMap<>();
        List<String> doubles = new ArrayList<>();
        try (PipelineProcesses processes = new PipelineProcesses(directory, yaml(name, keyed, coordinator, once));
                KafkaProducer<byte[], byte[]> producer = producer();
                KafkaConsumer<byte[], byte[]> consumer = consumer(name + "-out")) {
            for (int i = 0; i < PROCESSES; i++) {
                processes.start();
            }
            long deadline = System.nanoTime() + LIMIT.toNanos();
            int sent = 0;
            int kills = 0;
            while (!results.equals(expected) || sent < records || kills < mostKills) {
                assertThat(System.nanoTime())
                        .as(() -> "deadline; " + results.size() + " of " + expected.size() + " results, "
                                + differences(expected, results) + processes.logs())
                        .isLessThan(deadline);
                for (int end = Math.min(records, sent + 500); sent < end; sent++) {
                    send(producer, name + "-in", keyed, sent, random, expected);
                }
                read(consumer, results, doubles);
                if (kills < mostKills && results.size() > expected.size() * (long) kills / (2 * mostKills) + kills) {
                    kills++;
                    processes.replace(random.nextInt(PROCESSES));
                }
                processes.revive();
            }
            producer.flush();
        }
        assertThat(results).isEqualTo(expected);
        if (once) {
            assertThat(doubles).isEmpty();
        }
    }

    private static List<String> differences(Map<String, Result> expected, Map<String, Result> results) {
        return expected.keySet().stream()
                .filter(key -> !expected.get(key).equals(results.get(key)))
                .limit(20)
                .map(key -> key + ": " + expected.get(key) + " but " + results.get(key))
                .toList();
    }

    private static String yaml(String name, boolean keyed, String coordinator, boolean once) {
        return """
                name: %2$s
                source:
                  kafka: {bootstrap: "%1$s", topic: %2$s-in%4$s}
                format: json
                flatten:
                  fields:
                    at: {type: time, format: millis}
                    metric: text
                    value: long
                time: {field: at, disorder: 2s, idle: 3s}
                aggregate:
                  group_by: [metric]
                  measures: {n: count(), total: sum(value)}
                  every: 1m
                keyed: %3$s
                parallelism: 2
                sinks:
                  - kafka: {bootstrap: "%1$s", topic: %2$s-out, exactly_once: %5$s, format: csv}
                """.formatted(kafka.bootstrap(), name, keyed, coordinator, once);
    }

    private static void send(
            KafkaProducer<byte[], byte[]> producer,
            String topic,
            boolean keyed,
            int i,
            Random random,
            Map<String, Result> expected) {
        String metric = "m" + random.nextInt(KEYS);
        long time = BEGIN + i * 10L - random.nextInt(1_000);
        int value = random.nextInt(1_000);
        String json = "{\"at\":%d,\"metric\":\"%s\",\"value\":%d}".formatted(time, metric, value);
        int partition = keyed ? Math.floorMod(metric.hashCode(), PARTITIONS) : random.nextInt(PARTITIONS);
        producer.send(new ProducerRecord<>(topic, partition, null, json.getBytes(StandardCharsets.UTF_8)));
        expected.merge(
                Math.floorDiv(time, 60_000) * 60_000 + " " + metric,
                new Result(1, value),
                (a, b) -> new Result(a.count + b.count, a.sum + b.sum));
    }

    private static final Pattern LINE = Pattern.compile("([^,]+),([^,]+),([^,]+),(\\d+),(\\d+)");

    private static void read(
            KafkaConsumer<byte[], byte[]> consumer, Map<String, Result> results, List<String> doubles) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(20))) {
            String line = new String(record.value(), StandardCharsets.UTF_8);
            Matcher matcher = LINE.matcher(line);
            assertThat(matcher.matches()).as(line).isTrue();
            String key = java.time.Instant.parse(matcher.group(1)).toEpochMilli() + " " + matcher.group(3);
            Result result = new Result(Long.parseLong(matcher.group(4)), Long.parseLong(matcher.group(5)));
            if (results.put(key, result) != null) {
                doubles.add(line);
            }
        }
    }

    private static KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrap(), "acks", "all", "linger.ms", "5"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static KafkaConsumer<byte[], byte[]> consumer(String topic) {
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        kafka.bootstrap(),
                        "isolation.level",
                        "read_committed",
                        "auto.offset.reset",
                        "earliest"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(IntStream.range(0, 4)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList());
        return consumer;
    }
}
