package io.updraft.kafka.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.servers.KafkaServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process that never says that it has let go, as its only thread is held up by a commit. */
@Tag("slow")
final class SlowHandoverTest {

    private static final int UNITS = 4;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Test
    void shouldHandOverUnitsThatAreNotLetGoOfAndRefuseTheirCommits() {
        try (KafkaServer kafka = KafkaServer.start()) {
            kafka.createTopic("in", UNITS, 1);
            Stuck first = new Stuck();
            Stuck second = new Stuck();
            try (Coordinator a = coordinator(kafka);
                    Coordinator b = coordinator(kafka)) {
                a.join(first);
                await(() -> first.owned.size() == UNITS);
                Set<Ownership> before = Set.copyOf(first.owned);
                b.join(second);
                await(() -> second.owned.size() == UNITS / 2);
                assertThat(first.lost).hasSize(UNITS / 2);
                for (Ownership each : before) {
                    if (first.lost.contains(each)) {
                        assertThatThrownBy(() -> a.transactionOffsets(commit(each)))
                                .isInstanceOf(FencedException.class);
                    } else {
                        assertThat(a.transactionOffsets(commit(each)).offsets()).hasSize(1);
                    }
                }
            }
        }
    }

    private static Coordinator coordinator(KafkaServer kafka) {
        UnitsCluster cluster =
                new UnitsCluster("cluster-0", Map.of("bootstrap.servers", kafka.bootstrap()), List.of("in"));
        return new GroupCoordinator(GroupSettings.of(cluster, "stuck").withPatience(Duration.ofSeconds(1)));
    }

    private static List<UnitCommit> commit(Ownership ownership) {
        UnitPartition partition =
                new UnitPartition("cluster-0", "in", ownership.unit().index());
        return List.of(new UnitCommit(ownership, new Progress(Map.of(partition, 1L), "")));
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static final class Stuck implements UnitsListener {
        private final Set<Ownership> owned = ConcurrentHashMap.newKeySet();
        private final Set<Ownership> lost = ConcurrentHashMap.newKeySet();

        @Override
        public void onAssigned(List<AssignedUnit> units) {
            units.forEach(unit -> owned.add(unit.ownership()));
        }

        @Override
        public CompletionStage<Void> onRevoked(List<Ownership> units) {
            return new CompletableFuture<>();
        }

        @Override
        public void onLost(List<Ownership> units) {
            lost.addAll(units);
        }

        @Override
        public void onFailed(Throwable cause) {
            throw new AssertionError(cause);
        }
    }
}
