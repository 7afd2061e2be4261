package io.updraft.kafka.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.kafka.reader.ReaderConfig.OutOfRange;
import io.updraft.servers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
final class KafkaReaderTest {

    private static KafkaServer server;
    private static KafkaProducer<byte[], byte[]> producer;

    @BeforeAll
    static void start() {
        server = KafkaServer.shared();
        producer = server.producer(ProducerConfig.TRANSACTIONAL_ID_CONFIG, "test");
        producer.initTransactions();
    }

    @AfterAll
    static void stop() {
        if (producer != null) {
            producer.close(Duration.ZERO);
        }
    }

    @Test
    void shouldReadEveryRecordOfEveryPartitionInOrder() {
        server.createTopic("all", 3, 1);
        producer.beginTransaction();
        for (int i = 0; i < 3_000; i++) {
            send("all", i % 3, "k" + i, "value " + i);
        }
        producer.commitTransaction();
        try (KafkaReader reader =
                new KafkaReader(ReaderConfig.of(server.bootstrap()).withKeys())) {
            for (int p = 0; p < 3; p++) {
                reader.assign(new TopicPartition("all", p), p == 0 ? KafkaReader.EARLIEST : 0);
            }
            Map<Integer, List<String>> read = new HashMap<>();
            Map<Integer, Long> next = new HashMap<>(Map.of(0, 0L, 1, 0L, 2, 0L));
            Await.until("all records are read", () -> {
                if (reader.poll() instanceof KafkaChunk chunk) {
                    int partition = chunk.topicPartition().partition();
                    assertThat(chunk.from()).isEqualTo(next.put(partition, chunk.to()));
                    for (int i = 0; i < chunk.count(); i++) {
                        assertThat(new String(chunk.key(i), StandardCharsets.UTF_8))
                                .isEqualTo("k" + chunk.text(i).substring("value ".length()));
                        assertThat(chunk.positions()[i]).isBetween(chunk.from(), chunk.to() - 1);
                        read.computeIfAbsent(partition, p -> new ArrayList<>()).add(chunk.text(i));
                    }
                }
                return read.values().stream().mapToInt(List::size).sum() == 3_000;
            });
            for (int p = 0; p < 3; p++) {
                int partition = p;
                assertThat(read.get(p))
                        .isEqualTo(java.util.stream.IntStream.range(0, 3_000)
                                .filter(i -> i % 3 == partition)
                                .mapToObj(i -> "value " + i)
                                .toList());
            }
        }
    }

    @Test
    void shouldStepOverAbortedTransactionsAndTellTombstonesFromEmptyValues() {
        server.createTopic("gaps", 1, 1);
        transact("gaps", true, "a", null, "");
        transact("gaps", false, "aborted");
        transact("gaps", true, "b");
        try (KafkaReader reader =
                new KafkaReader(ReaderConfig.of(server.bootstrap()).with("isolation.level", "read_committed"))) {
            TopicPartition partition = new TopicPartition("gaps", 0);
            reader.assign(partition, 0);
            List<byte[]> read = new ArrayList<>();
            List<Long> bounds = new ArrayList<>(List.of(0L));
            Await.until("all records are read", () -> {
                if (reader.poll() instanceof KafkaChunk chunk) {
                    assertThat(chunk.from()).isEqualTo(bounds.get(bounds.size() - 1));
                    bounds.add(chunk.to());
                    for (int i = 0; i < chunk.count(); i++) {
                        read.add(chunk.value(i));
                    }
                }
                return read.size() == 4 && reader.lag(partition) == 0;
            });
            assertThat(read).containsExactly(bytes("a"), null, bytes(""), bytes("b"));
            // a, null, "", marker, aborted, marker, b, marker: 7 is the offset after b.
            assertThat(bounds.get(bounds.size() - 1)).isBetween(7L, 8L);
        }
    }

    @Test
    void shouldFetchNoMoreThanTheQueueHoldsWhileNobodyPollsAndReadTheRestAfterwards() {
        server.createTopic("much", 2, 1);
        String kilobyte = "x".repeat(1_000);
        producer.beginTransaction();
        for (int i = 0; i < 4_000; i++) {
            send("much", i % 2, null, kilobyte);
        }
        producer.commitTransaction();
        TopicPartition held = new TopicPartition("much", 0);
        TopicPartition free = new TopicPartition("much", 1);
        ReaderConfig config = new ReaderConfig(
                        Map.of("bootstrap.servers", server.bootstrap()),
                        ReaderConfig.OutOfRange.EARLIEST,
                        100_000,
                        false,
                        List.of())
                .with("max.partition.fetch.bytes", 50_000)
                .with("max.poll.records", 50);
        try (KafkaReader reader = new KafkaReader(config)) {
            reader.assign(held, 0);
            reader.assign(free, 0);
            reader.pause(held);
            int[] read = new int[2];
            Await.until("the other partition is read", () -> {
                if (reader.poll() instanceof KafkaChunk chunk) {
                    read[chunk.topicPartition().partition()] += chunk.count();
                }
                return read[1] == 2_000;
            });
            assertThat(read[0]).isZero();
            Await.until("the held partition lags", () -> reader.lag(held) >= 2_000);
            reader.resume(held);
            Await.until("the held partition is read", () -> {
                if (reader.poll() instanceof KafkaChunk chunk) {
                    read[chunk.topicPartition().partition()] += chunk.count();
                }
                return read[0] == 2_000;
            });
        }
    }

    @Test
    void shouldGiveNothingOfAPartitionOnceItIsRevokedAndReadItAgainFromWhereItIsTold() {
        server.createTopic("twice", 1, 1);
        transact("twice", true, "a", "b", "c");
        TopicPartition partition = new TopicPartition("twice", 0);
        try (KafkaReader reader = new KafkaReader(ReaderConfig.of(server.bootstrap()))) {
            reader.assign(partition, 0);
            Await.until(
                    "the first transaction is read",
                    () -> reader.poll() instanceof KafkaChunk chunk && chunk.to() >= 3);
            transact("twice", true, "d");
            reader.revoke(partition);
            assertThat(reader.poll()).isNull();
            reader.assign(partition, 1);
            List<String> read = new ArrayList<>();
            Await.until("three records are read", () -> {
                if (reader.poll() instanceof KafkaChunk chunk) {
                    for (int i = 0; i < chunk.count(); i++) {
                        read.add(chunk.text(i));
                    }
                }
                return read.size() >= 3;
            });
            assertThat(read).containsExactly("b", "c", "d");
        }
    }

    @Test
    void shouldGoOnAtTheOldestRecordOrFailAsToldWhenTheOffsetIsGone() throws Exception {
        server.createTopic("gone", 1, 1);
        transact("gone", true, "a", "b", "c");
        TopicPartition partition = new TopicPartition("gone", 0);
        server.admin()
                .deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(2)))
                .all()
                .get();
        try (KafkaReader reader = new KafkaReader(ReaderConfig.of(server.bootstrap()))) {
            reader.assign(partition, 1);
            assertThat(next(reader))
                    .isInstanceOfSatisfying(
                            ReaderEvent.Reset.class,
                            reset -> assertThat(reset.message())
                                    .contains("offset 1 of gone-0")
                                    .contains("oldest"));
            assertThat(next(reader)).isInstanceOfSatisfying(KafkaChunk.class, chunk -> {
                assertThat(chunk.text(0)).isEqualTo("c");
                assertThat(chunk.from()).isEqualTo(2);
            });
        }
        ReaderConfig strict = ReaderConfig.of(server.bootstrap()).withOutOfRange(OutOfRange.FAIL);
        try (KafkaReader reader = new KafkaReader(strict)) {
            reader.assign(partition, 1);
            assertThat(next(reader))
                    .isInstanceOfSatisfying(
                            ReaderEvent.Failed.class,
                            failed -> assertThat(failed.message())
                                    .contains("offset 1 of gone-0")
                                    .contains("set where to start"));
        }
    }

    @Test
    void shouldSayThatAPartitionIsNotThereAndReadTheOthers() {
        server.createTopic("there", 1, 1);
        transact("there", true, "a");
        try (KafkaReader reader = new KafkaReader(ReaderConfig.of(server.bootstrap()))) {
            reader.assign(new TopicPartition("not-there", 0), 0);
            reader.assign(new TopicPartition("there", 7), 0);
            reader.assign(new TopicPartition("there", 0), 0);
            // In any order: that a partition is not there is said after a while, which a record may take too.
            assertThat(List.of(next(reader), next(reader), next(reader)))
                    .areExactly(1, new Condition<>(KafkaChunk.class::isInstance, "records"))
                    .areExactly(
                            2,
                            new Condition<>(
                                    event -> event instanceof ReaderEvent.Failed failed
                                            && failed.message().contains("is not there"),
                                    "missing partitions"));
        }
    }

    private static ReaderEvent next(KafkaReader reader) {
        ReaderEvent[] event = new ReaderEvent[1];
        Await.until("an event comes", () -> (event[0] = reader.poll()) != null);
        return event[0];
    }

    private static void transact(String topic, boolean commit, String... values) {
        producer.beginTransaction();
        for (String value : values) {
            send(topic, 0, null, value);
        }
        if (commit) {
            producer.commitTransaction();
        } else {
            producer.flush();
            producer.abortTransaction();
        }
    }

    private static void send(String topic, int partition, String key, String value) {
        producer.send(new ProducerRecord<>(topic, partition, bytes(key), bytes(value)));
    }

    private static byte[] bytes(String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }
}
