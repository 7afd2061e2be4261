package io.updraft.kafka.share;

import io.updraft.servers.KafkaServer;
import io.updraft.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.RetriableException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
final class ZooKeeperCoordinatorTest extends CoordinatorContract {

    @AutoClose
    private static ZooKeeperServer zookeeper;

    @BeforeAll
    static void startZooKeeper() {
        zookeeper = ZooKeeperServer.start();
    }

    static Stream<String> protocols() {
        return Stream.of("zookeeper");
    }

    @Override
    String usualProtocol() {
        return "zookeeper";
    }

    @Override
    WorkerProcessGroup workers(String protocol, Duration session) throws Exception {
        return workers(zookeeper, "once", kafka.bootstrap(), String.join(",", topics), session);
    }

    private WorkerProcessGroup workers(
            ZooKeeperServer zookeeper, String guarantee, String clusters, String topics, Duration session)
            throws Exception {
        return new WorkerProcessGroup(
                "zookeeper",
                guarantee,
                clusters,
                group,
                topics,
                Long.toString(session.toMillis()),
                sums,
                zookeeper.address());
    }

    private WorkerProcessGroup atLeastOnce(ZooKeeperServer zookeeper, Duration session) throws Exception {
        return workers(zookeeper, "least", kafka.bootstrap(), String.join(",", topics), session);
    }

    @Override
    ShareCoordinator coordinator(String protocol, Duration timeout) {
        return new ZooKeeperCoordinator(new ZooKeeperSettings(
                zookeeper.address(),
                "/updraft",
                group,
                List.of(cluster()),
                LONG_SESSION,
                timeout,
                Optional.of(cluster().name())));
    }

    @Test
    void shouldGoOnAfterARestartOfZooKeeper() throws Exception {
        try (ZooKeeperServer own = ZooKeeperServer.start();
                WorkerProcessGroup workers = atLeastOnce(own, LONG_SESSION);
                NumberTopics numbers = new NumberTopics(kafka.bootstrap(), sums, 1)) {
            WorkerProcessGroup.Worker a = workers.start();
            WorkerProcessGroup.Worker b = workers.start();
            workers.awaitBalance(SHARES, List.of(a, b));
            feed(numbers, 1_000);
            workers.await("all sums", numbers::poll);
            own.kill();
            feed(numbers, 1_000);
            own.startAgain();
            feed(numbers, 1_000);
            workers.await("all sums", numbers::poll);
            workers.awaitBalance(SHARES, List.of(a, b));
        }
    }

    @Test
    void shouldLetNobodyStartBeforeTheLastOwnerHasStopped() throws Exception {
        try (ZooKeeperServer own = ZooKeeperServer.start();
                WorkerProcessGroup workers = atLeastOnce(own, SESSION);
                NumberTopics numbers = new NumberTopics(kafka.bootstrap(), sums, 1)) {
            WorkerProcessGroup.Worker a = workers.start();
            WorkerProcessGroup.Worker b = workers.start();
            workers.awaitBalance(SHARES, List.of(a, b));
            own.suspend();
            feed(numbers, 1_000);
            // Longer than the session: both must stop, though nothing notifies them.
            workers.await(
                    "both stopped", () -> a.shares().isEmpty() && b.shares().isEmpty());
            own.resume();
            workers.awaitBalance(SHARES, List.of(a, b));
            b.leave();
            workers.awaitBalance(SHARES, List.of(a));
            workers.await("all sums", numbers::poll);
            workers.checkIntervals();
        }
    }

    @Test
    void shouldCountOnceWhatComesFromTwoClusters() throws Exception {
        String other = "other-" + group;
        try (KafkaServer second = KafkaServer.start();
                WorkerProcessGroup workers = workers(
                        zookeeper,
                        "once",
                        kafka.bootstrap() + ";" + second.bootstrap(),
                        String.join(",", topics) + ";" + other,
                        SHORT_SESSION);
                NumberTopics numbers = new NumberTopics(kafka.bootstrap(), sums, 1)) {
            second.createTopic(other, SHARES, 1);
            WorkerProcessGroup.Worker a = workers.start();
            WorkerProcessGroup.Worker b = workers.start();
            workers.awaitBalance(SHARES, List.of(a, b));
            for (int round = 0; round < 5; round++) {
                feed(numbers, 2_000);
                numbers.sendTo(second.bootstrap(), other, SHARES, 2_000);
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
        try (WorkerProcessGroup workers = atLeastOnce(zookeeper, LONG_SESSION);
                NumberTopics numbers = new NumberTopics(kafka.bootstrap(), sums, 1)) {
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
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof RetriableException) {
                        return false;
                    }
                    throw new IllegalStateException(e);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }
}
