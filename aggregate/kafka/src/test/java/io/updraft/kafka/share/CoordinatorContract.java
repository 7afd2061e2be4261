package io.updraft.kafka.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.servers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of {@link ShareCoordinator}. Each implementation runs these tests with its protocols, which its static method
 * {@code protocols} lists. Tests run in parallel, because most of their time is waiting for a session to end.
 */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
abstract class CoordinatorContract {

    static final int SHARES = 12;

    /** For tests in which nobody dies: so long that nobody loses it, however busy the machine is. */
    static final Duration LONG_SESSION = Duration.ofSeconds(30);

    /** For tests that wait until it is over, and say who must keep what: so long that nobody loses it who is well. */
    static final Duration SESSION = KafkaServer.SHARED_SESSION;

    /** For tests that wait until it is over, and in which losing it once more does no harm. */
    static final Duration SHORT_SESSION = Duration.ofSeconds(2);

    private static final Duration RELEASE_TIMEOUT = Duration.ofSeconds(30);

    /** For what must not take as long as a session has by default, 45 s. */
    private static final Duration TAKE_OVER = Duration.ofSeconds(40);

    private static final AtomicInteger TESTS = new AtomicInteger();

    KafkaServer kafka;
    String group;
    String sums;
    List<String> topics;

    @BeforeEach
    void makeTopics() {
        kafka = KafkaServer.shared();
        group = "group" + TESTS.getAndIncrement();
        sums = "sums-" + group;
        topics = List.of("first-" + group, "second-" + group);
        synchronized (TESTS) {
            topics.forEach(topic -> kafka.createTopic(topic, SHARES, 1));
            kafka.createTopic(sums, 1, 1);
        }
    }

    /** Processes that write exactly once. */
    abstract WorkerProcessGroup workers(String protocol, Duration session) throws Exception;

    /** A coordinator in this process, whose positions are in transactions. */
    abstract ShareCoordinator coordinator(String protocol, Duration timeout);

    /** That which is tried with all that may happen. */
    abstract String usualProtocol();

    private WorkerProcessGroup workers() throws Exception {
        return workers(usualProtocol(), SHORT_SESSION);
    }

    private ShareCoordinator coordinator(Duration timeout) {
        return coordinator(usualProtocol(), timeout);
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void shouldSayWhySharesComeAndGo(String protocol) {
        try (TestMember first = TestMember.join(coordinator(protocol, RELEASE_TIMEOUT))) {
            Await.until("the first has all shares", () -> first.shares().size() == SHARES);
            try (TestMember second = TestMember.join(coordinator(protocol, RELEASE_TIMEOUT))) {
                Await.until("the second has its half", () -> second.shares().size() == SHARES / 2);
                assertThat(first.reasons).hasSizeGreaterThan(1);
                assertThat(second.reasons).isNotEmpty();
            }
            Await.until("the first has all shares again", () -> first.shares().size() == SHARES);
            assertThat(first.reasons).allSatisfy(reason -> assertThat(reason).contains("group " + group));
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void shouldSayThatItHasGivenUpWhenItsThreadDiesOfAnError(String protocol) {
        AtomicReference<Throwable> why = new AtomicReference<>();
        try (ShareCoordinator dying = coordinator(protocol, RELEASE_TIMEOUT)) {
            dying.join(new Dying(why));
            Await.until("the failure is told", () -> why.get() != null);
            assertThat(why.get()).isInstanceOf(LinkageError.class).hasMessage("made up");
            assertThat(dying.positions()).isCompletedExceptionally();
        }
    }

    /** Its first assignment ends the coordinator's thread. */
    private record Dying(AtomicReference<Throwable> why) implements ShareCoordinator.Listener {

        @Override
        public void onAssigned(List<Share.Assigned> shares) {
            throw new LinkageError("made up");
        }

        @Override
        public CompletionStage<Void> onRevoked(List<Share.Ownership> shares, String reason) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void onLost(List<Share.Ownership> shares, String reason) {}

        @Override
        public void onFailed(Throwable cause) {
            why.set(cause);
        }
    }

    /** It may take as long as whoever counts partitions does not look: half a minute. */
    @ParameterizedTest
    @MethodSource("protocols")
    @Tag("long")
    void shouldGiveAShareAnewThatHasMorePartitions(String protocol) throws Exception {
        String small = "small-" + group;
        topics = List.of(topics.get(0), small);
        synchronized (TESTS) {
            kafka.createTopic(small, 1, 1);
        }
        try (TestMember member = TestMember.join(coordinator(protocol, RELEASE_TIMEOUT))) {
            Await.until("the member has all shares", () -> member.shares().size() == SHARES);
            kafka.admin()
                    .createPartitions(Map.of(small, NewPartitions.increaseTo(2)))
                    .all()
                    .get();
            Await.until(
                    "the share has the new partition",
                    () -> member.assigned.stream()
                            .filter(share -> share.share().index() == 1
                                    && share.partitions().size() == 2)
                            .anyMatch(share -> member.owned.contains(share.ownership())));
            Await.until("the member has all shares", () -> member.shares().size() == SHARES);
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void shouldMoveOnlySharesThatMustMove(String protocol) {
        try (TestMember a = TestMember.join(coordinator(protocol, RELEASE_TIMEOUT));
                TestMember b = TestMember.join(coordinator(protocol, RELEASE_TIMEOUT))) {
            awaitBalance(a, b);
            Set<Integer> ofA = a.shares();
            Set<Integer> ofB = b.shares();
            try (TestMember c = TestMember.join(coordinator(protocol, RELEASE_TIMEOUT))) {
                awaitBalance(a, b, c);
                assertThat(ofA).containsAll(a.shares());
                assertThat(ofB).containsAll(b.shares());
                ofA = a.shares();
                Set<Integer> ofC = c.shares();
                b.coordinator.close();
                awaitBalance(a, c);
                assertThat(a.shares()).containsAll(ofA);
                assertThat(c.shares()).containsAll(ofC);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void shouldTakeOverTheSharesOfAKilledProcess(String protocol) throws Exception {
        try (WorkerProcessGroup workers = workers(protocol, SESSION)) {
            WorkerProcessGroup.Worker a = workers.start();
            WorkerProcessGroup.Worker b = workers.start();
            WorkerProcessGroup.Worker c = workers.start();
            workers.awaitBalance(SHARES, List.of(a, b, c));
            Set<Integer> ofA = a.shares();
            Set<Integer> ofC = c.shares();
            b.kill();
            long killed = System.nanoTime();
            workers.awaitBalance(SHARES, List.of(a, c));
            assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(TAKE_OVER);
            assertThat(a.shares()).containsAll(ofA);
            assertThat(c.shares()).containsAll(ofC);
        }
    }

    @Test
    void shouldRefuseWhatAProcessWritesThatWasPausedForLongerThanItsSession() throws Exception {
        try (WorkerProcessGroup workers = workers();
                NumberTopics numbers = new NumberTopics(kafka.bootstrap(), sums, 1)) {
            WorkerProcessGroup.Worker a = workers.start();
            WorkerProcessGroup.Worker b = workers.start();
            workers.awaitBalance(SHARES, List.of(a, b));
            // More than twice, as what is left of the life before last does harm only then.
            for (int round = 0; round < 3; round++) {
                feed(numbers, 3_000);
                a.signal("STOP");
                feed(numbers, 3_000);
                workers.awaitBalance(SHARES, List.of(b));
                feed(numbers, 3_000);
                a.signal("CONT");
                workers.awaitBalance(SHARES, List.of(a, b));
            }
            workers.await("all sums", numbers::poll);
            numbers.checkExactlyOnce();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = 2)
    void shouldCountEachNumberOnceWhateverIsKilled(long seed) throws Exception {
        Random random = new Random(seed);
        try (WorkerProcessGroup workers = workers();
                NumberTopics numbers = new NumberTopics(kafka.bootstrap(), sums, seed)) {
            List<WorkerProcessGroup.Worker> alive = new ArrayList<>();
            for (int step = 0; step < 12; step++) {
                if (alive.size() < 2 || alive.size() < 4 && random.nextBoolean()) {
                    alive.add(workers.start());
                } else {
                    WorkerProcessGroup.Worker leaver = alive.remove(random.nextInt(alive.size()));
                    if (random.nextInt(4) == 0) {
                        leaver.leave();
                    } else {
                        leaver.kill();
                    }
                }
                int sums = numbers.sums.size();
                for (int i = 0; i < 10; i++) {
                    feed(numbers, 500);
                }
                workers.await("a result", () -> numbers.poll() || numbers.sums.size() > sums + 20);
            }
            workers.await("all sums", numbers::poll);
            numbers.checkExactlyOnce();
        }
    }

    @Test
    void shouldTakeSharesFromWhoeverDoesNotLetGoAndRefuseItsTransactions() throws Exception {
        try (TestMember a = TestMember.joinStuck(coordinator(Duration.ofSeconds(1)))) {
            Await.until("a has all shares", () -> a.owned.size() == SHARES);
            Set<Share.Ownership> all = Set.copyOf(a.owned);
            try (KafkaProducer<byte[], byte[]> producer = producer(a.coordinator.transactionalId())) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>(sums, "too late".getBytes(StandardCharsets.US_ASCII)));
                // Asked in time, and used after others have begun.
                ShareCoordinator.TransactionOffsets offsets = transactionOffsets(a.coordinator, all);
                assertThat(offsets.transactionalId()).isEqualTo(a.coordinator.transactionalId());
                try (TestMember b = TestMember.join(coordinator(Duration.ofSeconds(1)))) {
                    Await.until(
                            "b has its half and a has lost it",
                            () -> b.owned.size() == SHARES / 2 && a.lost.size() == SHARES / 2);
                    assertThat(b.assigned).allMatch(share -> share.progress().equals(Share.Progress.NONE));
                    assertThatThrownBy(() -> {
                                producer.sendOffsetsToTransaction(offsets.offsets(), offsets.group());
                                producer.commitTransaction();
                            })
                            .isInstanceOfAny(
                                    ProducerFencedException.class,
                                    InvalidProducerEpochException.class,
                                    CommitFailedException.class);
                    for (Share.Ownership each : all) {
                        if (a.lost.contains(each)) {
                            assertThatThrownBy(() -> a.coordinator.transactionOffsets(commits(Set.of(each))))
                                    .isInstanceOf(FencedException.class);
                        } else {
                            assertThat(transactionOffsets(a.coordinator, Set.of(each))
                                            .offsets())
                                    .hasSize(1);
                        }
                    }
                }
            }
        }
    }

    /** As at the end of a run that is held up while it writes: the shares change hands at once, and the transaction is refused. */
    @Test
    void shouldRefuseTheTransactionsOfWhoeverLeavesWhileItWrites() throws Exception {
        try (TestMember a = TestMember.joinUnsure(coordinator(Duration.ofMinutes(10)))) {
            Await.until("a has all shares", () -> a.owned.size() == SHARES);
            Set<Share.Ownership> all = Set.copyOf(a.owned);
            try (KafkaProducer<byte[], byte[]> producer = producer(a.coordinator.transactionalId())) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>(sums, "too late".getBytes(StandardCharsets.US_ASCII)));
                ShareCoordinator.TransactionOffsets offsets = transactionOffsets(a.coordinator, all);
                a.coordinator.close();
                try (TestMember b = TestMember.join(coordinator(RELEASE_TIMEOUT))) {
                    Await.until("b has all shares", () -> b.owned.size() == SHARES);
                    assertThat(b.assigned).allMatch(share -> share.progress().equals(Share.Progress.NONE));
                    assertThatThrownBy(() -> {
                                producer.sendOffsetsToTransaction(offsets.offsets(), offsets.group());
                                producer.commitTransaction();
                            })
                            .isInstanceOfAny(
                                    ProducerFencedException.class,
                                    InvalidProducerEpochException.class,
                                    CommitFailedException.class);
                }
            }
        }
    }

    /** Asks again as long as there is no answer: a group may be joined again at any time. */
    private ShareCoordinator.TransactionOffsets transactionOffsets(
            ShareCoordinator coordinator, Set<Share.Ownership> shares) {
        AtomicReference<ShareCoordinator.TransactionOffsets> offsets = new AtomicReference<>();
        Await.until("the offsets can be had", () -> {
            try {
                offsets.set(coordinator.transactionOffsets(commits(shares)));
            } catch (CommitFailedException notNow) {
                return false;
            }
            return true;
        });
        return offsets.get();
    }

    private KafkaProducer<byte[], byte[]> producer(String transactionalId) {
        KafkaProducer<byte[], byte[]> producer = kafka.producer("transactional.id", transactionalId);
        producer.initTransactions();
        return producer;
    }

    private List<Share.Commit> commits(Set<Share.Ownership> all) {
        return all.stream()
                .map(one -> {
                    ClusterPartition partition = new ClusterPartition(
                            cluster().name(), topics.get(0), one.share().index());
                    return new Share.Commit(one, new Share.Progress(Map.of(partition, 1L), ""));
                })
                .toList();
    }

    final ClusterTopics cluster() {
        return new ClusterTopics("c0", Map.of("bootstrap.servers", kafka.bootstrap()), topics);
    }

    final void feed(NumberTopics numbers, int count) {
        numbers.send(topics, SHARES, count);
        numbers.poll();
    }

    private static void awaitBalance(TestMember... members) {
        Await.until("the shares are in balance", () -> {
            Set<Integer> all = new TreeSet<>();
            for (TestMember member : members) {
                all.addAll(member.shares());
            }
            return all.size() == SHARES
                    && Stream.of(members).allMatch(member -> member.shares().size() == SHARES / members.length);
        });
    }
}
