package io.updraft.pipeline.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.kafka.unit.UnitOwnership;
import io.updraft.kafka.unit.WorkUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class UnitEventQueueTest {

    @Test
    void shouldLetGoOfUnitsOnlyWhenThatIsAnswered() {
        UnitEventQueue events = new UnitEventQueue(units -> Map.of());
        CompletableFuture<Void> all = revoke(events, 1, 2);
        List<UnitEventQueue.UnitEvent> reported = events.take();
        ((UnitEventQueue.UnitEvent.Revoked) reported.get(0)).done().complete(null);
        assertThat(all).isNotDone();
        ((UnitEventQueue.UnitEvent.Revoked) reported.get(1)).done().complete(null);
        assertThat(all).isCompleted();
    }

    @Test
    void shouldLetGoOfUnitsAtOnceWhenNobodyReadsAnyMore() {
        UnitEventQueue events = new UnitEventQueue(units -> Map.of());
        CompletableFuture<Void> unread = revoke(events, 1);
        CompletableFuture<Void> read = revoke(events, 2);
        assertThat(events.take()).hasSize(2);
        events.close(true);
        assertThat(unread).isCompleted();
        assertThat(read).isCompleted();
        assertThat(revoke(events, 3)).isCompleted();
    }

    @Test
    void shouldSayThatSomethingOfTheUnitsMayBeOnItsWay() {
        UnitEventQueue events = new UnitEventQueue(units -> Map.of());
        CompletableFuture<Void> before = revoke(events, 1);
        events.close(false);
        assertThat(before).isCompletedExceptionally();
        assertThat(revoke(events, 2)).isCompletedExceptionally();
    }

    private static CompletableFuture<Void> revoke(UnitEventQueue events, int... units) {
        List<UnitOwnership> all = Arrays.stream(units)
                .mapToObj(unit -> new UnitOwnership(new WorkUnit(unit), 1))
                .toList();
        return events.onRevoked(all, "a test").toCompletableFuture();
    }
}
