package io.updraft.pipeline.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.kafka.units.Ownership;
import io.updraft.kafka.units.WorkUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class UnitEventsTest {

    @Test
    void shouldLetGoOfUnitsOnlyWhenThatIsAnswered() {
        UnitEvents events = new UnitEvents(units -> Map.of());
        CompletableFuture<Void> all = revoke(events, 1, 2);
        List<UnitEvents.UnitEvent> told = events.take();
        ((UnitEvents.UnitEvent.Revoked) told.get(0)).done().complete(null);
        assertThat(all).isNotDone();
        ((UnitEvents.UnitEvent.Revoked) told.get(1)).done().complete(null);
        assertThat(all).isCompleted();
    }

    @Test
    void shouldLetGoOfUnitsAtOnceWhenNobodyReadsAnyMore() {
        UnitEvents events = new UnitEvents(units -> Map.of());
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
        UnitEvents events = new UnitEvents(units -> Map.of());
        CompletableFuture<Void> before = revoke(events, 1);
        events.close(false);
        assertThat(before).isCompletedExceptionally();
        assertThat(revoke(events, 2)).isCompletedExceptionally();
    }

    private static CompletableFuture<Void> revoke(UnitEvents events, int... units) {
        List<Ownership> all = Arrays.stream(units)
                .mapToObj(unit -> new Ownership(new WorkUnit(unit), 1))
                .toList();
        return events.onRevoked(all).toCompletableFuture();
    }
}
