package io.updraft.kafka.units;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.servers.KafkaServer;
import io.updraft.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ZooKeeperCoordinatorTest extends CoordinatorContract {

    private ZooKeeperServer zookeeper;

    @BeforeAll
    void startZooKeeper() {
        zookeeper = ZooKeeperServer.start();
    }

    @AfterAll
    void stopZooKeeper() {
        zookeeper.close();
    }

    @Override
    Stream<String> protocols() {
        return Stream.of("zookeeper");
    }

    @Override
    Workers workers(String protocol, Duration session) throws Exception {
        return workers("once", kafka.bootstrap(), String.join(",", topics), session);
    }

    private Workers workers(String guarantee, String clusters, String topics, Duration session) throws Exception {
        return new Workers(
                "zookeeper",
                guarantee,
                clusters,
                group,
                topics,
                Long.toString(session.toMillis()),
                sums,
                zookeeper.address());
    }

    private Workers atLeastOnce(Duration session) throws Exception {
        return workers("least", kafka.bootstrap(), String.join(",", topics), session);
    }

    @Override
    Coordinator coordinator(String protocol, Duration patience) {
        return new ZooKeeperCoordinator(ZooKeeperSettings.of(zookeeper.address(), group, List.of(cluster()))
                .withSession(SESSION)
                .withPatience(patience)
                .withTransactionsOf(cluster().name()));
    }

    @Test
    void shouldKeepUnitsThroughARestartOfZooKeeper() throws Exception {
        try (Workers workers = atLeastOnce(Duration.ofSeconds(20));
                Numbers numbers = new Numbers(kafka.bootstrap(), sums, 1)) {
            Workers.Worker a = workers.start();
            Workers.Worker b = workers.start();
            workers.awaitBalance(UNITS, List.of(a, b));
            List<Workers.Event> ofA = a.events();
            List<Workers.Event> ofB = b.events();
            feed(numbers, 1_000);
            workers.await("all sums", numbers::poll);
            zookeeper.kill();
            feed(numbers, 1_000);
            zookeeper.restart();
            feed(numbers, 1_000);
            workers.await("all sums", numbers::poll);
            assertThat(a.events()).isEqualTo(ofA);
            assertThat(b.events()).isEqualTo(ofB);
        }
    }

    @Test
    void shouldLetNobodyStartBeforeTheLastOwnerHasStopped() throws Exception {
        try (Workers workers = atLeastOnce(SHORT_SESSION);
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
                Workers workers = workers(
                        "once",
                        kafka.bootstrap() + ";" + second.bootstrap(),
                        String.join(",", topics) + ";" + other,
                        SHORT_SESSION);
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
        try (Workers workers = atLeastOnce(SESSION);
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
}
