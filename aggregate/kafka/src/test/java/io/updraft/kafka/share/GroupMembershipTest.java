package io.updraft.kafka.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.engine.testing.CapturedWarnings;
import io.updraft.servers.KafkaServer;
import io.updraft.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Processes of one group that differ, and one broker. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
final class GroupMembershipTest {

    private static final Map<String, Object> SOLE =
            Map.of("partition.assignment.strategy", SoleMemberAssignor.class.getName());
    private static final Map<String, Object> FORMER =
            Map.of("partition.assignment.strategy", CooperativeStickyAssignor.class.getName());

    private static KafkaServer kafka;

    @BeforeAll
    static void start() {
        kafka = KafkaServer.shared();
    }

    /** A process that works as soon as it may. */
    private static final class Process implements ShareCoordinator.Listener, AutoCloseable {

        final AtomicReference<String> failure = new AtomicReference<>();
        final Set<Share.Ownership> owned = ConcurrentHashMap.newKeySet();
        final ShareCoordinator coordinator;

        Process(GroupSettings settings) {
            this(new GroupCoordinator(settings));
        }

        Process(ShareCoordinator coordinator) {
            this.coordinator = coordinator;
            coordinator.join(this);
        }

        @Override
        public void onAssigned(List<Share.Assigned> shares) {
            shares.forEach(share -> owned.add(share.ownership()));
        }

        @Override
        public CompletionStage<Void> onRevoked(List<Share.Ownership> shares, String reason) {
            owned.removeAll(shares);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void onLost(List<Share.Ownership> shares, String reason) {
            owned.removeAll(shares);
        }

        @Override
        public void onFailed(Throwable cause) {
            failure.set(cause.getMessage());
        }

        @Override
        public void close() {
            coordinator.close();
        }
    }

    private static GroupSettings settings(String group, String topic, String measures, Map<String, Object> more) {
        ClusterTopics cluster = new ClusterTopics("c", Map.of("bootstrap.servers", kafka.bootstrap()), List.of(topic));
        ProcessDescription process =
                ProcessDescription.ofThisProcess("counts", List.of(topic), Map.of("measures", measures));
        return GroupSettings.of(cluster, group)
                .withSession(CoordinatorContract.LONG_SESSION)
                .withProcess(process)
                .withOverrides(more);
    }

    private static Process withZooKeeper(ZooKeeperServer server, GroupSettings settings) {
        return new Process(new ZooKeeperCoordinator(new ZooKeeperSettings(
                server.address(),
                "/updraft",
                settings.group(),
                List.of(settings.cluster()),
                Duration.ofSeconds(2),
                Duration.ofSeconds(30),
                Optional.empty(),
                settings.process())));
    }

    @Test
    void shouldRefuseAPipelineOfTheSameNameOnOtherTopics() {
        kafka.createTopic("named-a", 2, 1);
        kafka.createTopic("named-b", 2, 1);
        for (Map<String, Object> division : List.of(SOLE, Map.<String, Object>of())) {
            String group = "named-" + division.size();
            try (Process first = new Process(settings(group, "named-a", "n", division))) {
                Await.until("the first owns all", () -> first.owned.size() == 2);
                try (Process second = new Process(settings(group, "named-b", "n", division))) {
                    Await.until("the second is refused", () -> second.failure.get() != null);
                    assertThat(second.failure.get())
                            .contains("'counts' reads named-a", "'counts' reads named-b", "another 'name'")
                            .contains("process " + ProcessHandle.current().pid() + " on host ")
                            .doesNotContain("\n");
                    assertThat(second.owned).isEmpty();
                }
                assertThat(first.failure.get()).isNull();
                assertThat(first.owned).hasSize(2);
            }
        }
    }

    @Test
    void shouldRefuseAProcessThatSharesPartitionsAndComputesSomethingElse() {
        kafka.createTopic("divided", 4, 1);
        try (Process first = new Process(settings("divided", "divided", "count()", Map.of()))) {
            Await.until("the first owns all", () -> first.owned.size() == 4);
            try (Process second = new Process(settings("divided", "divided", "sum(x)", Map.of()))) {
                Await.until("the second is refused", () -> second.failure.get() != null);
                assertThat(second.failure.get()).contains("other values of [measures]", "group divided");
                assertThat(first.owned).hasSize(4);
            }
            try (Process same = new Process(settings("divided", "divided", "count()", Map.of()))) {
                Await.until("both own their half", () -> same.owned.size() == 2 && first.owned.size() == 2);
            }
        }
    }

    @Test
    void shouldLetAProcessThatComputesSomethingElseTakeOverWhatIsNotDivided() {
        kafka.createTopic("undivided", 3, 1);
        CapturedWarnings log = new CapturedWarnings(StandbyLog.class);
        try (log;
                Process first = new Process(settings("undivided", "undivided", "count()", SOLE))) {
            Await.until("the first owns all", () -> first.owned.size() == 3);
            try (Process second = new Process(settings("undivided", "undivided", "sum(x)", SOLE))) {
                Await.until(
                        "the second stands by",
                        () -> log.lines().stream()
                                .anyMatch(line -> line.contains("[undivided]")
                                        && line.contains("stands by")
                                        && line.contains("other values of [measures]")
                                        && line.contains("process "
                                                + ProcessHandle.current().pid())));
                first.coordinator.close();
                Await.until("the second owns all", () -> second.owned.size() == 3);
                Await.until(
                        "the second takes over",
                        () -> log.lines().stream()
                                .anyMatch(line ->
                                        line.contains("[undivided]") && line.contains("takes over: it reads 3")));
                assertThat(second.failure.get()).isNull();
            }
        }
    }

    @Test
    void shouldSayThatThereAreMoreProcessesThanPartitions() {
        // A repetition after a failure has a group of its own.
        String few = "few" + System.nanoTime();
        kafka.createTopic(few, 1, 1);
        CapturedWarnings log = new CapturedWarnings(StandbyLog.class);
        try (log;
                Process first = new Process(settings(few, few, "n", Map.of()))) {
            Await.until("the first owns all", () -> first.owned.size() == 1);
            try (Process second = new Process(settings(few, few, "n", Map.of()))) {
                Await.until(
                        "the log tells of too few partitions",
                        () -> log.lines().stream()
                                .anyMatch(line -> line.contains("[" + few + "]")
                                        && line.contains("2 processes share the 1 partition")));
                assertThat(second.owned).isEmpty();
            }
        }
    }

    /** Members of the previous version send nothing about themselves, and one of them may lead the group. */
    @Test
    void shouldShareWithProcessesOfThePreviousVersion() {
        kafka.createTopic("upgraded", 4, 1);
        GroupSettings former = settings("upgraded", "upgraded", "n", FORMER);
        try (Process old = new Process(former)) {
            Await.until("the old one owns all", () -> old.owned.size() == 4);
            try (Process second = new Process(settings("upgraded", "upgraded", "n", Map.of()))) {
                Await.until("both own their half", () -> old.owned.size() == 2 && second.owned.size() == 2);
                old.coordinator.close();
                Await.until("the second owns all", () -> second.owned.size() == 4);
                try (Process again = new Process(former)) {
                    Await.until("both own their half", () -> again.owned.size() == 2 && second.owned.size() == 2);
                }
            }
        }
    }

    @Test
    void shouldSayThatAnotherKindOfPipelineUsesTheGroup() {
        kafka.createTopic("mixed", 2, 1);
        try (Process first = new Process(settings("mixed", "mixed", "n", Map.of()))) {
            Await.until("the first owns all", () -> first.owned.size() == 2);
            try (Process second = new Process(settings("mixed", "mixed", "n", SOLE))) {
                Await.until("the second is refused", () -> second.failure.get() != null);
                assertThat(second.failure.get()).contains("group mixed", "another value of 'keyed'", "another 'name'");
            }
        }
    }

    @Test
    void shouldRefuseWithZooKeeperWhatDiffers() {
        kafka.createTopic("zoo-a", 1, 1);
        kafka.createTopic("zoo-b", 1, 1);
        CapturedWarnings log = new CapturedWarnings(StandbyLog.class);
        try (log;
                ZooKeeperServer server = ZooKeeperServer.start();
                Process first = withZooKeeper(server, settings("zoo", "zoo-a", "n", Map.of()))) {
            Await.until("the first owns all", () -> first.owned.size() == 1);
            try (Process other = withZooKeeper(server, settings("zoo", "zoo-b", "n", Map.of()));
                    Process changed = withZooKeeper(server, settings("zoo", "zoo-a", "sum(x)", Map.of()));
                    Process same = withZooKeeper(server, settings("zoo", "zoo-a", "n", Map.of()))) {
                Await.until(
                        "the second stands by",
                        () -> log.lines().stream()
                                .anyMatch(line -> line.contains("[zoo-a]") && line.contains("stands by")));
                Await.until("both are refused", () -> other.failure.get() != null && changed.failure.get() != null);
                assertThat(other.failure.get()).contains("'counts' reads zoo-a", "another 'name'");
                assertThat(changed.failure.get()).contains("other values of [measures]");
                assertThat(first.owned).hasSize(1);
                first.coordinator.close();
                Await.until("the same one owns all", () -> same.owned.size() == 1);
                assertThat(same.failure.get()).isNull();
            }
        }
    }
}
