package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.servers.KafkaServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that come and go by themselves, under load: results go on coming, and each record is counted once. */
@Tag("slow")
final class KafkaHandoverTest {

    private static final int PARTITIONS = 12;
    private static final int KEYS = 5_000;
    private static final int BURST = 5_000;

    /** Long ago, so that quiet partitions are moved on by the clock. */
    private static final long BEGIN = 1_357_000_000_000L;

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(15);

    private record Result(long count, long sum) {}

    /** One step of the test, when it is over. */
    private interface Until {
        boolean isReached() throws Exception;
    }

    @TempDir
    Path directory;

    private KafkaServer kafka;
    private PipelineProcesses processes;
    private KafkaProducer<byte[], byte[]> producer;
    private KafkaConsumer<byte[], byte[]> consumer;
    private final Random random = new Random(11);
    private final Map<String, Result> expected = new HashMap<>();
    private final Map<String, Result> results = new HashMap<>();
    private final List<String> doubles = new ArrayList<>();
    private long deadline;
    private int sent;
    private long lastResult;
    private long silence;

    @Test
    void shouldGoOnWritingResultsWhileProcessesJoinAndLeave() throws Exception {
        try (KafkaServer server = KafkaServer.start()) {
            kafka = server;
            kafka.createTopic("in", PARTITIONS, 1);
            kafka.createTopic("out", 4, 1);
            try (PipelineProcesses its = new PipelineProcesses(directory, yaml());
                    KafkaProducer<byte[], byte[]> sends = producer();
                    KafkaConsumer<byte[], byte[]> reads = consumer()) {
                processes = its;
                producer = sends;
                consumer = reads;
                run();
            }
        }
        assertThat(results).isEqualTo(expected);
        assertThat(doubles).isEmpty();
        assertThat(Duration.ofNanos(silence)).isLessThan(LONGEST_SILENCE);
    }

    private void run() throws Exception {
        deadline = System.nanoTime() + LIMIT.toNanos();
        processes.start();
        flow("the first result", () -> !results.isEmpty());
        silence = 0;
        // The third comes while the first still hands over to the second.
        join();
        flow("a second member", () -> members() == 2);
        join();
        flow("three shares", this::isShared);
        for (int i = 0; i < 2; i++) {
            java.lang.Process leaving = processes.stop(0);
            flow("the end of a process", () -> !leaving.isAlive());
            processes.forget(leaving);
            flow("two shares", this::isShared);
            join();
            flow("three shares", this::isShared);
        }
        producer.flush();
        lastResult = System.nanoTime();
        settle("all results", () -> results.equals(expected));
    }

    private void join() throws IOException {
        processes.start();
    }

    private void flow(String what, Until until) throws Exception {
        settle(what, () -> {
            for (int end = sent + BURST; sent < end; sent++) {
                send();
            }
            return until.isReached();
        });
    }

    private void settle(String what, Until until) throws Exception {
        while (!until.isReached()) {
            assertThat(System.nanoTime())
                    .as(() -> "deadline; no " + what + "; " + results.size() + " of " + expected.size() + " results"
                            + processes.logs())
                    .isLessThan(deadline);
            read();
        }
    }

    private int members() throws Exception {
        return group().members().size();
    }

    private ConsumerGroupDescription group() throws Exception {
        return kafka.admin()
                .describeConsumerGroups(List.of("handover"))
                .describedGroups()
                .get("handover")
                .get();
    }

    private boolean isShared() throws Exception {
        ConsumerGroupDescription group = group();
        int share = PARTITIONS / processes.running();
        return group.groupState() == GroupState.STABLE
                && group.members().size() == processes.running()
                && group.members().stream()
                        .allMatch(
                                member -> member.assignment().topicPartitions().size() == share);
    }

    private String yaml() {
        return """
                name: handover
                source:
                  kafka: {bootstrap: "%s", topic: in}
                format: json
                flatten:
                  fields:
                    at: {type: time, format: millis}
                    metric: text
                    value: long
                time: {field: at, disorder: 2s, idle: 10s}
                aggregate:
                  group_by: [metric]
                  measures: {n: count(), total: sum(value)}
                  every: 1m
                keyed: true
                parallelism: 2
                sinks:
                  - kafka: {bootstrap: "%s", topic: out, exactly_once: true, format: csv}
                """.formatted(kafka.bootstrap(), kafka.bootstrap());
    }

    private void send() {
        String metric = "m" + random.nextInt(KEYS);
        long time = BEGIN + sent * 2L - random.nextInt(1_000);
        int value = random.nextInt(1_000);
        String json = "{\"at\":" + time + ",\"metric\":\"" + metric + "\",\"value\":" + value + "}";
        producer.send(new ProducerRecord<>(
                "in", Math.floorMod(metric.hashCode(), PARTITIONS), null, json.getBytes(StandardCharsets.UTF_8)));
        expected.merge(
                Math.floorDiv(time, 60_000) * 60_000 + " " + metric,
                new Result(1, value),
                (a, b) -> new Result(a.count + b.count, a.sum + b.sum));
    }

    private void read() {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(5))) {
            String[] fields = new String(record.value(), StandardCharsets.UTF_8).split(",");
            String key = Instant.parse(fields[0]).toEpochMilli() + " " + fields[2];
            if (results.put(key, new Result(Long.parseLong(fields[3]), Long.parseLong(fields[4]))) != null) {
                doubles.add(key);
            }
            long now = System.nanoTime();
            silence = lastResult == 0 ? 0 : Math.max(silence, now - lastResult);
            lastResult = now;
        }
    }

    private KafkaProducer<byte[], byte[]> producer() {
        return new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrap(), "acks", "all", "linger.ms", "5"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        KafkaConsumer<byte[], byte[]> opened = new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.bootstrap(), "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> all = IntStream.range(0, 4)
                .mapToObj(partition -> new TopicPartition("out", partition))
                .toList();
        opened.assign(all);
        opened.seekToBeginning(all);
        return opened;
    }
}
