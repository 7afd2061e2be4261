package io.updraft.observe.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.metrics.LatencySummary;
import java.util.List;
import org.junit.jupiter.api.Test;

class BottleneckTest {

    @Test
    void shouldNameTheJammedComponentThatIsNotHeldBackItself() {
        assertThat(Bottleneck.of(sample(Snapshots.jammed())))
                .get()
                .extracting(Bottleneck::componentId)
                .isEqualTo("count");
    }

    @Test
    void shouldNameABusyComponentWhereNothingJams() {
        EngineSnapshot now =
                Snapshots.snapshot(2 * Snapshots.SECOND, List.of(busy("lines", true, 950), busy("split", false, 100)));
        assertThat(Bottleneck.of(sample(now))).get().isEqualTo(new Bottleneck("lines", "lines: 95% busy in nextTuple"));
    }

    @Test
    void shouldNameNothingWhereEverythingHasTime() {
        assertThat(Bottleneck.of(sample(Snapshots.troubled()))).isEmpty();
    }

    private static TopologySample sample(EngineSnapshot now) {
        return new TopologySample("t", "running", Snapshots.atStart(), now, List.of());
    }

    private static ComponentSnapshot busy(String id, boolean spout, long millis) {
        return new ComponentSnapshot(
                id,
                spout,
                1,
                1,
                0,
                0,
                0,
                0,
                0,
                0,
                millis * Snapshots.MILLI,
                0,
                0,
                0,
                0,
                0,
                0,
                false,
                false,
                LatencySummary.EMPTY,
                LatencySummary.EMPTY,
                List.of());
    }
}
