package io.updraft.kafka.units;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.servers.KafkaServer;
import io.updraft.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class ZooKeeperCoordinatorTest {

    private static final int UNITS = 12;
    private static final String SESSION = "4000";
    private static KafkaServer kafka;
    private static ZooKeeperServer zookeeper;
    private static int test;
    private String group;
    private String sums;
    private List<String> topics;

    @BeforeAll
    static void startServers() {
        kafka = KafkaServer.start();
        zookeeper = ZooKeeperServer.start();
    }

    @AfterAll
    static void stopServers() {
        zookeeper.close();
        kafka.close();
    }

    @BeforeEach
    void makeTopics() {
        group = "group" + test++;
        sums = "sums-" + group;
        topics = List.of("first-" + group, "second-" + group);
        topics.forEach(topic -> kafka.createTopic(topic, UNITS, 1));
        kafka.createTopic(sums, 1, 1);
    }

    private Workers workers(String guarantee) throws Exception {
        return new Workers(
                "zookeeper",
                guarantee,
                kafka.bootstrap(),
                group,
                String.join(",", topics),
                SESSION,
                sums,
                zookeeper.address());
    }

    @Test
    void shouldMoveOnlyUnitsThatMustMove() throws Exception {
        try (Workers workers = workers("once")) {
            Workers.Worker a = workers.start();
            Workers.Worker b = workers.start();
            workers.awaitBalance(UNITS, List.of(a, b));
            Set<Integer> before = a.units();
            Set<Integer> beforeB = b.units();
            Workers.Worker c = workers.start();
            workers.awaitBalance(UNITS, List.of(a, b, c));
            assertThat(before).containsAll(a.units());
            assertThat(beforeB).containsAll(b.units());
            before = a.units();
            Set<Integer> ofC = c.units();
            b.leave();
            workers.awaitBalance(UNITS, List.of(a, c));
            assertThat(a.units()).containsAll(before);
            assertThat(c.units()).containsAll(ofC);
        }
    }

    @Test
    void shouldTakeOverTheUnitsOfAKilledProcess() throws Exception {
        try (Workers workers = workers("once")) {
            Workers.Worker a = workers.start();
            Workers.Worker b = workers.start();
            Workers.Worker c = workers.start();
            workers.awaitBalance(UNITS, List.of(a, b, c));
            Set<Integer> ofA = a.units();
            Set<Integer> ofC = c.units();
            b.kill();
            long killed = System.nanoTime();
            workers.awaitBalance(UNITS, List.of(a, c));
            assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofSeconds(30));
            assertThat(a.units()).containsAll(ofA);
            assertThat(c.units()).containsAll(ofC);
        }
    }

    @Test
    void shouldRefuseWhatAProcessWritesThatWasPausedForLongerThanItsSession() throws Exception {
        try (Workers workers = workers("once");
                Numbers numbers = new Numbers(kafka.bootstrap(), sums, 1)) {
            Workers.Worker a = workers.start();
            Workers.Worker b = workers.start();
            workers.awaitBalance(UNITS, List.of(a, b));
            for (int round = 0; round < 3; round++) {
                feed(numbers, 3_000);
                a.signal("STOP");
                feed(numbers, 3_000);
                workers.awaitBalance(UNITS, List.of(b));
                feed(numbers, 3_000);
                a.signal("CONT");
                workers.awaitBalance(UNITS, List.of(a, b));
            }
            workers.await("all sums", numbers::poll);
            numbers.checkExactlyOnce();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldCountEachNumberOnceWhateverIsKilled(long seed) throws Exception {
        Random random = new Random(seed);
        try (Workers workers = workers("once");
                Numbers numbers = new Numbers(kafka.bootstrap(), sums, seed)) {
            List<Workers.Worker> alive = new ArrayList<>();
            for (int step = 0; step < 12; step++) {
                if (alive.size() < 2 || alive.size() < 4 && random.nextBoolean()) {
                    alive.add(workers.start());
                } else {
                    Workers.Worker leaver = alive.remove(random.nextInt(alive.size()));
                    if (random.nextInt(4) == 0) {
                        leaver.leave();
                    } else {
                        leaver.kill();
                    }
                }
                int sums = numbers.sums.size();
                for (int i = 0; i < 20; i++) {
                    feed(numbers, 500);
                }
                workers.await("a result", () -> numbers.poll() || numbers.sums.size() > sums + 20);
            }
            workers.await("all sums", numbers::poll);
            numbers.checkExactlyOnce();
        }
    }

    @Test
    void shouldKeepUnitsThroughARestartOfZooKeeper() throws Exception {
        try (Workers workers = workers("least");
                Numbers numbers = new Numbers(kafka.bootstrap(), sums, 1)) {
            Workers.Worker a = workers.start();
            Workers.Worker b = workers.start();
            workers.awaitBalance(UNITS, List.of(a, b));
            feed(numbers, 1_000);
            workers.await("all sums", numbers::poll);
            zookeeper.kill();
            feed(numbers, 1_000);
            zookeeper.restart();
            feed(numbers, 1_000);
            workers.await("all sums", numbers::poll);
            workers.awaitBalance(UNITS, List.of(a, b));
        }
    }

    @Test
    void shouldLetNobodyStartBeforeTheLastOwnerHasStopped() throws Exception {
        try (Workers workers = workers("least");
                Numbers numbers = new Numbers(kafka.bootstrap(), sums, 1)) {
            Workers.Worker a = workers.start();
            Workers.Worker b = workers.start();
            workers.awaitBalance(UNITS, List.of(a, b));
            zookeeper.suspend();
            feed(numbers, 1_000);
            // Longer than the session: both must stop, though nobody tells them.
            workers.await("both stopped", () -> a.units().isEmpty() && b.units().isEmpty());
            zookeeper.resume();
            workers.awaitBalance(UNITS, List.of(a, b));
            b.leave();
            workers.awaitBalance(UNITS, List.of(a));
            workers.await("all sums", numbers::poll);
            workers.checkIntervals();
        }
    }

    @Test
    void shouldCountOnceWhatComesFromTwoClusters() throws Exception {
        String other = "other-" + group;
        try (KafkaServer second = KafkaServer.start();
                Workers workers = new Workers(
                        "zookeeper",
                        "once",
                        kafka.bootstrap() + ";" + second.bootstrap(),
                        group,
                        String.join(",", topics) + ";" + other,
                        SESSION,
                        sums,
                        zookeeper.address());
                Numbers numbers = new Numbers(kafka.bootstrap(), sums, 1)) {
            second.createTopic(other, UNITS, 1);
            Workers.Worker a = workers.start();
            Workers.Worker b = workers.start();
            workers.awaitBalance(UNITS, List.of(a, b));
            for (int round = 0; round < 5; round++) {
                feed(numbers, 2_000);
                numbers.sendTo(second.bootstrap(), other, UNITS, 2_000);
                if (round == 2) {
                    a.kill();
                    workers.start();
                }
            }
            workers.await("all sums", numbers::poll);
            numbers.checkExactlyOnce();
        }
    }

    @Test
    void shouldShowPositionsToToolsThatReadConsumerOffsets() throws Exception {
        try (Workers workers = workers("least");
                Numbers numbers = new Numbers(kafka.bootstrap(), sums, 1)) {
            workers.start();
            feed(numbers, 1_000);
            workers.await("all sums", numbers::poll);
            String group = this.group;
            workers.await("offsets of the group", () -> {
                try {
                    return !kafka.admin()
                            .listConsumerGroupOffsets(group)
                            .partitionsToOffsetAndMetadata()
                            .get()
                            .isEmpty();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    private void feed(Numbers numbers, int count) {
        numbers.send(topics, UNITS, count);
        numbers.poll();
    }
}
