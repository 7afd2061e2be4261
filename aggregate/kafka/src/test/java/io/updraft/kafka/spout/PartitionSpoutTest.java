package io.updraft.kafka.spout;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.engine.api.TopologyEngine;
import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.testing.CapturedWarnings;
import io.updraft.kafka.reader.KafkaChunk;
import io.updraft.kafka.reader.KafkaReader;
import io.updraft.kafka.reader.ReaderConfig;
import io.updraft.servers.KafkaServer;
import io.updraft.storm.UpdraftCluster;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The spout on the engine, reading from a real broker. */
@Tag("slow")
final class PartitionSpoutTest {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int RECORDS = 20_000;
    private static final int PARTITIONS = 4;
    private static KafkaServer server;

    @BeforeAll
    static void start() {
        server = KafkaServer.shared();
    }

    @Test
    void shouldReplayWhatFailsAndCommitAllOnceAllIsAcked() throws Exception {
        fill("failing", PARTITIONS, RECORDS);
        OutcomeBolt.Book book = OutcomeBolt.book("failing");
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            cluster.submitTopology(
                    "failing",
                    conf(),
                    topology(config("failing").build(), 2, new OutcomeBolt("failing", 5, null, null)));
            Await.until("all records are acked", () -> book.acked.size() == RECORDS);
            for (int p = 0; p < PARTITIONS; p++) {
                TopicPartition partition = new TopicPartition("failing", p);
                Await.until(
                        "the partition is committed", () -> committed("failing", partition) == RECORDS / PARTITIONS);
            }
        }
        assertThat(book.acked.values())
                .allSatisfy(times -> assertThat(times.get()).isEqualTo(1));
        assertThat(book.executed.get()).isGreaterThan(RECORDS);
    }

    @Test
    void shouldReadPartitionsThatAreAddedFromTheirBeginnings() throws Exception {
        fill("growing", 1, 100);
        OutcomeBolt.Book book = OutcomeBolt.book("growing");
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            PartitionSpoutConfig config =
                    config("growing").start(KafkaReader.LATEST).build();
            // One of the tasks has no partition at first.
            cluster.submitTopology("growing", conf(), topology(config, 2, new OutcomeBolt("growing", 0, null, null)));
            AtomicInteger next = new AtomicInteger(100);
            Await.until("a record of the new partition is acked", () -> {
                fillMore("growing", 1, next.get(), next.incrementAndGet());
                return !book.acked.isEmpty();
            });
            server.admin()
                    .createPartitions(Map.of("growing", NewPartitions.increaseTo(4)))
                    .all()
                    .get();
            fillMore("growing", 4, 10_000, 10_400);
            for (int p = 1; p < 4; p++) {
                TopicPartition partition = new TopicPartition("growing", p);
                Await.until("the new partition is committed", () -> committed("growing", partition) == 100);
            }
        }
    }

    @Test
    void shouldLoseNothingWhenTheBrokerIsKilledAndComesBack() throws Exception {
        fill("killed", PARTITIONS, RECORDS);
        OutcomeBolt.Book book = OutcomeBolt.book("killed");
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            // A small window, so that the kill comes in the middle.
            PartitionSpoutConfig config = config("killed")
                    .window(500, 1 << 20)
                    .client("max.poll.records", 100)
                    .client("max.partition.fetch.bytes", 4_096)
                    .build();
            cluster.submitTopology("killed", conf(), topology(config, 2, new OutcomeBolt("killed", 1, null, null)));
            Await.until("a tenth is acked", () -> book.acked.size() > RECORDS / 10);
            server.broker(1).kill();
            server.broker(1).start();
            server.awaitBrokers(1);
            fillMore("killed", PARTITIONS, RECORDS, RECORDS + 1_000);
            Await.until("all records are acked", () -> book.acked.size() == RECORDS + 1_000);
            for (int p = 0; p < PARTITIONS; p++) {
                TopicPartition partition = new TopicPartition("killed", p);
                Await.until(
                        "the partition is committed",
                        () -> committed("killed", partition) == (RECORDS + 1_000) / PARTITIONS);
            }
        }
    }

    @Test
    void shouldCommitUpToTheFirstRecordThatIsNotDoneAndReadFromThereInTheNextRun() throws Exception {
        fill("held", 1, 1_000);
        TopicPartition partition = new TopicPartition("held", 0);
        OutcomeBolt.Book first = OutcomeBolt.book("held-first");
        try (UpdraftCluster cluster = new UpdraftCluster.Builder()
                .withDrainLimit(Duration.ofSeconds(2))
                .build()) {
            cluster.submitTopology(
                    "held",
                    conf(),
                    topology(config("held").build(), 1, new OutcomeBolt("held-first", 0, null, "value 400")));
            Await.until("all but the held record are acked", () -> first.acked.size() == 999);
            Await.until("the position of the held record is committed", () -> committed("held", partition) == 400);
        }
        assertThat(committed("held", partition)).isEqualTo(400);
        OutcomeBolt.Book second = OutcomeBolt.book("held-second");
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            cluster.submitTopology(
                    "held", conf(), topology(config("held").build(), 1, new OutcomeBolt("held-second", 0, null, null)));
            Await.until("all is committed", () -> committed("held", partition) == 1_000);
        }
        assertThat(second.acked).hasSize(600).containsKey("value 400").doesNotContainKey("value 399");
    }

    @Test
    void shouldWriteARecordThatFailsAgainAndAgainToTheDeadLetterTopicAndGoOn() throws Exception {
        fill("poison", 1, 100);
        server.createTopic("poison-dead", 1, 1);
        TopicPartition partition = new TopicPartition("poison", 0);
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            PartitionSpoutConfig config = config("poison")
                    .retries(2, 10, 100)
                    .deadLetterTopic("poison-dead")
                    .build();
            cluster.submitTopology(
                    "poison", conf(), topology(config, 1, new OutcomeBolt("poison", 0, "value 42", null)));
            Await.until("all is committed", () -> committed("poison", partition) == 100);
        }
        assertThat(OutcomeBolt.book("poison").executed.get()).isEqualTo(102);
        assertThat(OutcomeBolt.book("poison").acked).hasSize(99);
        try (KafkaReader reader =
                new KafkaReader(ReaderConfig.of(server.bootstrap()).withKeys())) {
            reader.assign(new TopicPartition("poison-dead", 0), 0);
            Await.until(
                    "the poison is in the other topic",
                    () -> reader.poll() instanceof KafkaChunk chunk
                            && chunk.count() == 1
                            && chunk.text(0).equals("value 42")
                            && new String(chunk.key(0), StandardCharsets.UTF_8).equals("42"));
        }
    }

    @Test
    void shouldHaveTheEngineListAndReplayARecordThatItGivesUp() throws Exception {
        fill("listed", 1, 100);
        OutcomeBolt.Book book = OutcomeBolt.book("listed");
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            PartitionSpoutConfig config = config("listed").retries(2, 10, 100).build();
            cluster.submitTopology(
                    "listed", conf(), topology(config, 1, new OutcomeBolt("listed", 0, "value 42", null)));
            Await.until("all is committed", () -> committed("listed", new TopicPartition("listed", 0)) == 100);
            TopologyEngine engine = cluster.engine("listed");
            assertThat(engine.deadLetters()).singleElement().satisfies(letter -> {
                assertThat(letter.messageId()).isEqualTo("listed-0 offset 42 attempt 3");
                assertThat(letter.failures()).isEqualTo(3);
                assertThat(letter.reason()).isEqualTo("failed");
                assertThat(letter.replay()).isEqualTo(DeadLetter.Replay.POSSIBLE);
            });
            assertThat(book.executed.get()).isEqualTo(102);
            assertThat(engine.replayAll()).hasSize(1);
            Await.until(
                    "the replay has failed",
                    () -> engine.deadLetters().get(0).replay() == DeadLetter.Replay.FAILED_AGAIN);
            assertThat(book.executed.get())
                    .as("the spout does not repeat a replay")
                    .isEqualTo(103);
        }
    }

    @Test
    void shouldEmitDeadLettersOnTheirStreamUntilOneIsAckedThere() throws Exception {
        fill("stream", 1, 100);
        TopicPartition partition = new TopicPartition("stream", 0);
        PartitionSpoutConfig config =
                config("stream").retries(2, 10, 100).deadLetterStream("dead").build();
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("kafka", new PartitionSpout(config));
        builder.setBolt("bolt", new OutcomeBolt("stream", 0, "value 42", null)).shuffleGrouping("kafka");
        // Fails most of the dead letters, so that they must come again.
        builder.setBolt("burial", new OutcomeBolt("burial", 80, null, null)).shuffleGrouping("kafka", "dead");
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            cluster.submitTopology("stream", conf(), builder.createTopology());
            Await.until("all is committed", () -> committed("stream", partition) == 100);
        }
        assertThat(OutcomeBolt.book("stream").executed.get()).isEqualTo(102);
        assertThat(OutcomeBolt.book("burial").acked).containsOnlyKeys("value 42");
    }

    @Test
    void shouldNameTheBoltThatKeepsARecordOnceAnAttemptAtItIsTraced() throws Exception {
        fill("alarm-held", 1, 40);
        PartitionSpoutConfig config = config("alarm-held").alarmAfter(1_000).build();
        OutcomeBolt bolt = new OutcomeBolt("alarm-held", 0, null, "value 40");
        try (UpdraftCluster cluster = quickEnd()) {
            cluster.submitTopology("alarm-held", conf(1), topology(config, 1, bolt));
            // Others may have taken longer than a second, on a busy machine, and are done before the one that is kept
            // comes.
            Await.until(
                    "the position of the held record is committed",
                    () -> committed("alarm-held", new TopicPartition("alarm-held", 0)) == 40);
            try (CapturedWarnings warnings = new CapturedWarnings(PartitionSpout.class)) {
                fillMore("alarm-held", 1, 40, 41);
                awaitTheOneThatIsKept(warnings);
            }
        }
    }

    private static void awaitTheOneThatIsKept(CapturedWarnings warnings) throws InterruptedException {
        String alarm =
                "offset 40 of alarm-held-0 has not left the topology for \\d+ s, after \\d+ failures, last seen in ";
        String kept = alarm
                + "bolt 'bolt' \\(task \\d+\\), which keeps it without ack or fail \\(attempt \\d+, \\d+ s ago\\)";
        Await.until("the warning comes", () -> warnings.lines().stream().anyMatch(line -> line.matches(kept)));
        assertThat(warnings.lines())
                .allMatch(line -> line.matches(alarm + "(bolt 'bolt'|kafka) \\(task \\d+\\), which .*"));
    }

    @Test
    void shouldNameTheBoltThatIsStuckInACallEvenIfSoManyArePendingThatTheSpoutIsNotAskedForMore() throws Exception {
        fill("alarm-stuck", 1, 100);
        PartitionSpoutConfig config = config("alarm-stuck").alarmAfter(1_000).build();
        String alarm = "offset \\d+ of alarm-stuck-0 has not .*, after 0 failures,"
                + " last seen in kafka \\(task \\d+\\), which emitted it; now "
                + "bolt 'bolt' has been in one call for at least \\d+ s \\(on the thread of task \\d+\\).*";
        awaitAlarm("alarm-stuck", 100, 20, config, new GateBolt("value 40", LIMIT.toMillis()), alarm);
    }

    @Test
    void shouldTellTheQueueBeforeASlowBolt() throws Exception {
        fill("alarm-slow", 1, 2_000);
        PartitionSpoutConfig config = config("alarm-slow").alarmAfter(1_000).build();
        String alarm = "offset \\d+ of alarm-slow-0 has not .*, after 0 failures,"
                + " last seen in kafka \\(task \\d+\\), which emitted it; now "
                + "\\d+ tuples wait for bolt 'bolt' \\(on the thread of task \\d+\\)";
        awaitAlarm("alarm-slow", 2_000, 2_000, config, new GateBolt(null, 50), alarm);
    }

    /** Runs until an alarm is as it should be, and then until all is committed. */
    private static void awaitAlarm(
            String name, int records, int pending, PartitionSpoutConfig config, GateBolt bolt, String alarm)
            throws Exception {
        try (UpdraftCluster cluster = quickEnd();
                CapturedWarnings warnings = new CapturedWarnings(PartitionSpout.class)) {
            cluster.submitTopology(name, conf(300, pending), topology(config, 1, bolt));
            Await.until("the warning comes", () -> warnings.lines().stream().anyMatch(line -> line.matches(alarm)));
            GateBolt.open();
            Await.until("all is committed", () -> committed(name, new TopicPartition(name, 0)) == records);
        } finally {
            GateBolt.open();
        }
    }

    private static UpdraftCluster quickEnd() {
        return new UpdraftCluster.Builder().withDrainLimit(Duration.ZERO).build();
    }

    private static PartitionSpoutConfig.Builder config(String name) {
        return PartitionSpoutConfig.builder(server.bootstrap(), name, name)
                .translator(RecordTranslator.text())
                .retries(100, 10, 1_000)
                .commitEvery(100);
    }

    private static Map<String, Object> conf() {
        return conf(300);
    }

    private static Map<String, Object> conf(int timeoutSecs) {
        return conf(timeoutSecs, 2_000);
    }

    private static Map<String, Object> conf(int timeoutSecs, int pending) {
        return Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, pending, Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, timeoutSecs);
    }

    private static StormTopology topology(PartitionSpoutConfig config, int spouts, IRichBolt bolt) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("kafka", new PartitionSpout(config), spouts);
        builder.setBolt("bolt", bolt, 2).shuffleGrouping("kafka");
        return builder.createTopology();
    }

    private static void fill(String topic, int partitions, int records) {
        server.createTopic(topic, partitions, 1);
        fillMore(topic, partitions, 0, records);
    }

    private static void fillMore(String topic, int partitions, int from, int to) {
        Map<String, Object> settings = Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, server.bootstrap());
        AtomicReference<Exception> refused = new AtomicReference<>();
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
            for (int i = from; i < to; i++) {
                producer.send(
                        new ProducerRecord<>(topic, i % partitions, Integer.toString(i), "value " + i),
                        (metadata, failure) -> refused.compareAndSet(null, failure));
            }
            producer.flush();
            assertThat(refused.get())
                    .as("what Kafka says to the test's records")
                    .isNull();
        }
    }

    private static long committed(String group, TopicPartition partition) {
        try {
            OffsetAndMetadata offset = server.admin()
                    .listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(partition);
            return offset == null ? -1 : offset.offset();
        } catch (ExecutionException e) {
            // Or the broker cannot tell just now.
            assertThat(e.getCause()).isInstanceOfAny(GroupIdNotFoundException.class, RetriableException.class);
            return -1;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
