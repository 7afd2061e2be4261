package io.updraft.pipeline.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.base.testing.Await;
import io.updraft.kafka.share.ClusterTopics;
import io.updraft.kafka.share.GroupCoordinator;
import io.updraft.kafka.share.GroupSettings;
import io.updraft.kafka.share.ShareCoordinator;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.servers.KafkaServer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A source of Kafka, driven by hand, and one broker. */
@Tag("slow")
final class KafkaSourceTest {

    /** Long enough for a source that ends too early to do so; a right one never does. */
    private static final Duration A_WHILE = Duration.ofSeconds(2);

    /** Where records are counted: so long that no member loses it, and reads again, on a busy machine. */
    private static final Duration SESSION = Duration.ofSeconds(12);

    private static KafkaServer kafka;
    private static KafkaProducer<byte[], byte[]> producer;

    @BeforeAll
    static void start() {
        kafka = KafkaServer.shared();
        producer = kafka.producer("metadata.max.age.ms", "500");
    }

    @AfterAll
    static void stop() {
        if (producer != null) {
            producer.close(Duration.ZERO);
        }
    }

    /** Readers die of an error as often as a test says. */
    public static final class Failing implements ConsumerInterceptor<ByteBuffer, ByteBuffer> {

        static final AtomicInteger FAILURES = new AtomicInteger();

        @Override
        public ConsumerRecords<ByteBuffer, ByteBuffer> onConsume(ConsumerRecords<ByteBuffer, ByteBuffer> records) {
            if (FAILURES.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new NoSuchMethodError("made up");
            }
            return records;
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

        @Override
        public void configure(Map<String, ?> settings) {}

        @Override
        public void close() {}
    }

    @Test
    void shouldReadAPartitionAgainWhoseReaderHasDiedOfAnError() throws Exception {
        kafka.createTopic("failing", 1, 1);
        send("failing", 0, 10);
        Failing.FAILURES.set(2);
        try (Driven driven = new Driven(spec("failing").client("interceptor.classes", Failing.class.getName()))) {
            driven.until(driven.source::ended);
            assertThat(driven.counts).containsEntry("failing-0", 10);
            assertThat(driven.idle).isEmpty();
            assertThat(Failing.FAILURES).hasValue(0);
        }
    }

    @Test
    void shouldEndWithOneLineWhenAPartitionCannotBeReadForLongerThanAllowed() throws Exception {
        kafka.createTopic("hopeless", 1, 1);
        send("hopeless", 0, 1);
        Failing.FAILURES.set(Integer.MAX_VALUE);
        try (Driven driven = new Driven(spec("hopeless")
                .client("interceptor.classes", Failing.class.getName())
                .giveUp(Duration.ofSeconds(1)))) {
            assertThatThrownBy(() -> driven.until(driven.source::ended))
                    .isInstanceOf(SourceException.class)
                    .hasMessageStartingWith("hopeless-0 cannot be read from broker 1: java.lang.NoSuchMethodError")
                    .hasMessageEndingWith("; the limit 'give_up' is reached")
                    .hasMessageNotContaining("\n");
        } finally {
            Failing.FAILURES.set(0);
        }
    }

    @Test
    void shouldNotEndBeforeATransactionThatIsOpenAtTheStart() throws Exception {
        kafka.createTopic("open", 1, 1);
        send("open", 0, 5);
        try (KafkaProducer<byte[], byte[]> slow =
                kafka.producer("transactional.id", "slow", "transaction.timeout.ms", 600_000)) {
            slow.initTransactions();
            slow.beginTransaction();
            slow.send(new ProducerRecord<>("open", 0, null, "slow".getBytes(UTF_8)))
                    .get();
            send("open", 0, 10);
            try (Driven driven = new Driven(spec("open"))) {
                driven.until(() -> driven.count() == 5);
                driven.during(A_WHILE, () -> assertThat(driven.source.ended()).isFalse());
                slow.commitTransaction();
                driven.until(driven.source::ended);
                assertThat(driven.count()).isEqualTo(16);
                driven.commit();
            }
            // The end of the transaction is no record, and done all the same.
            assertThat(committed("open", 0)).isEqualTo(17);
        }
    }

    @Test
    void shouldEndWhenTheGroupHasComeToEveryEndWhereverItsPartitionsAre() throws Exception {
        kafka.createTopic("shared", 4, 1);
        for (int partition = 0; partition < 4; partition++) {
            send("shared", partition, 3);
        }
        IdleMember first = new IdleMember(group("shared"));
        IdleMember second = new IdleMember(group("shared"));
        IdleMember third = new IdleMember(group("shared"));
        try (first;
                second;
                third;
                Driven driven = new Driven(spec("shared").session(SESSION))) {
            first.join();
            Await.until("the first owns all", () -> first.owned.size() == 4);
            driven.until(() -> driven.opened() == 2 && driven.count() == 6);
            driven.commit();
            driven.during(A_WHILE, () -> assertThat(driven.source.ended()).isFalse());
            // Now one that has come to its end is taken away.
            second.join();
            third.join();
            driven.until(() -> driven.opened() == 1);
            first.close();
            second.close();
            third.close();
            driven.until(() -> driven.count() == 12);
            driven.until(driven.source::ended);
            assertThat(driven.counts.values()).containsOnly(3);
        }
    }

    @Test
    void shouldEndWithoutAPartitionWhereTheOthersHaveReadEverything() throws Exception {
        kafka.createTopic("done", 2, 1);
        send("done", 0, 3);
        try (Driven driven = new Driven(spec("done"))) {
            driven.until(driven.source::ended);
            driven.commit();
        }
        assertThat(committed("done", 0)).isEqualTo(3);
        try (IdleMember other = new IdleMember(group("done"))) {
            other.join();
            Await.until("the other owns its half", () -> other.owned.size() == 2);
            try (Driven driven = new Driven(spec("done").session(Duration.ofSeconds(60)))) {
                driven.until(driven.source::ended);
                assertThat(driven.count()).isZero();
            }
        }
    }

    @Test
    void shouldCommitTheNewestPositionsWhenItIsClosedWhileACommitIsUnderWay() throws Exception {
        kafka.createTopic("closing", 1, 1);
        send("closing", 0, 4);
        Spec spec = spec("closing");
        DelayedCoordinator slow =
                new DelayedCoordinator(new GroupCoordinator(GroupSettings.of(spec.cluster(), "closing")));
        try (Driven driven = new Driven(spec, slow)) {
            driven.until(() -> driven.count() == 4);
            driven.source.commit(new PartitionPosition("closing-0", 2, Long.MIN_VALUE));
            driven.until(() -> slow.isCommitting());
            driven.source.commit(new PartitionPosition("closing-0", 4, Long.MIN_VALUE));
            slow.releaseSoon();
        }
        assertThat(committed("closing", 0)).isEqualTo(4);
    }

    @Test
    void shouldReadFromTheirBeginningsPartitionsThatAreAdded() throws Exception {
        kafka.createTopic("growing", 1, 1);
        send("growing", 0, 5);
        Spec spec = spec("growing")
                .start(SourceSpec.Kafka.Start.LATEST)
                .toEnd(false)
                .client("metadata.max.age.ms", "300");
        try (Driven driven = new Driven(spec)) {
            // Where it begins is committed before there is a record, so that the next one does not begin later.
            driven.until(() -> Long.valueOf(5).equals(driven.positions.get("growing-0")));
            kafka.admin()
                    .createPartitions(Map.of("growing", NewPartitions.increaseTo(3)))
                    .all()
                    .get();
            Await.until(
                    "the topic has grown",
                    () -> kafka.admin()
                                    .describeTopics(List.of("growing"))
                                    .allTopicNames()
                                    .get()
                                    .get("growing")
                                    .partitions()
                                    .size()
                            == 3);
            send("growing", 2, 7);
            driven.until(() -> driven.counts.getOrDefault("growing-2", 0) == 7);
            assertThat(driven.counts).doesNotContainKey("growing-0");
        }
    }

    private static void send(String topic, int partition, int records) throws Exception {
        for (int i = 0; i < records; i++) {
            producer.send(new ProducerRecord<>(topic, partition, null, ("record " + i).getBytes(UTF_8)));
        }
        producer.flush();
    }

    private static long committed(String group, int partition) throws Exception {
        OffsetAndMetadata offset = kafka.admin()
                .listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(new TopicPartition(group, partition));
        return offset == null ? -1 : offset.offset();
    }

    private static GroupSettings group(String topic) {
        return GroupSettings.of(spec(topic).cluster(), topic).withSession(SESSION);
    }

    private static Spec spec(String topic) {
        return new Spec(topic, Map.of("bootstrap.servers", kafka.bootstrap()), true, null, null, null);
    }

    /** The topic is the group, too. */
    private record Spec(
            String topic,
            Map<String, String> client,
            boolean toEnd,
            SourceSpec.Kafka.Start start,
            Duration session,
            Duration giveUp) {

        Spec client(String key, String value) {
            Map<String, String> more = new HashMap<>(client);
            more.put(key, value);
            return new Spec(topic, more, toEnd, start, session, giveUp);
        }

        Spec giveUp(Duration limit) {
            return new Spec(topic, client, toEnd, start, session, limit);
        }

        Spec session(Duration timeout) {
            return new Spec(topic, client, toEnd, start, timeout, giveUp);
        }

        Spec start(SourceSpec.Kafka.Start where) {
            return new Spec(topic, client, toEnd, where, session, giveUp);
        }

        Spec toEnd(boolean end) {
            return new Spec(topic, client, end, start, session, giveUp);
        }

        ClusterTopics cluster() {
            return new ClusterTopics("cluster-0", Map.copyOf(client), List.of(topic));
        }

        SourceSpec.Kafka source() {
            return new SourceSpec.Kafka(
                    List.of(client),
                    List.of(topic),
                    topic,
                    start == null ? SourceSpec.Kafka.Start.EARLIEST : start,
                    toEnd,
                    null,
                    session);
        }
    }

    /** A source whose records are done as soon as they come. */
    private static final class Driven implements AutoCloseable {

        final RecordSource source;
        final Map<String, Integer> counts = new TreeMap<>();
        final Map<String, Long> positions = new TreeMap<>();
        final Map<String, RecordSource.Ownership> shares = new HashMap<>();
        final List<String> idle = new ArrayList<>();

        Driven(Spec spec) throws SourceException {
            this(spec, KafkaCoordinators.coordinator(spec.source(), TestProcess.of(spec.topic()), true, false));
        }

        Driven(Spec spec, ShareCoordinator coordinator) {
            KafkaReadOptions how =
                    new KafkaReadOptions(true, true, Duration.ofMinutes(1), spec.giveUp(), false, List.of());
            source = new KafkaSource(spec.source(), coordinator, how, System::currentTimeMillis);
        }

        private void step() throws SourceException {
            for (SourceEvent event : source.poll()) {
                if (event instanceof RecordSource.Event.Opened opened) {
                    positions.put(opened.partition(), opened.position());
                    shares.put(opened.partition(), opened.ownership());
                } else if (event instanceof Chunk chunk) {
                    assertThat(positions).containsKey(event.partition());
                    int count = chunk.ends().length;
                    if (count > 0) {
                        counts.merge(event.partition(), count, Integer::sum);
                    }
                    positions.put(event.partition(), chunk.to());
                } else if (event instanceof RecordSource.Event.Revoked) {
                    positions.remove(event.partition());
                    shares.remove(event.partition()).released();
                } else if (event instanceof RecordSource.Event.Idle) {
                    idle.add(event.partition());
                }
            }
        }

        void until(Callable<Boolean> condition) throws Exception {
            Await.until("the records meet the condition", () -> {
                step();
                return condition.call();
            });
        }

        void during(Duration time, Runnable check) throws Exception {
            long end = System.nanoTime() + time.toNanos();
            until(() -> {
                check.run();
                return System.nanoTime() - end > 0;
            });
        }

        void commit() throws SourceException {
            positions.forEach(
                    (share, position) -> source.commit(new PartitionPosition(share, position, Long.MIN_VALUE)));
            step();
        }

        int opened() {
            return positions.size();
        }

        int count() {
            return counts.values().stream().mapToInt(count -> count).sum();
        }

        @Override
        public void close() {
            source.close();
        }
    }
}
