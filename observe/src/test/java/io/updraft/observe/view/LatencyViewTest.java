package io.updraft.observe.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.observe.view.TopologySample.ComponentRates;
import java.util.List;
import org.junit.jupiter.api.Test;

class LatencyViewTest {
    @Test
    void shouldHaveNoLatencyInAnIntervalWithoutCalls() {
        LatencyView idle = LatencyView.of(new ComponentRates(null, Snapshots.component("sink", false), 1));
        assertThat(idle).isEqualTo(new LatencyView(null, null, new LatencyView.Tails(null, null)));
    }

    @Test
    void shouldTellTheLatenciesOfAnInterval() {
        TopologySample sample = new TopologySample("words", "running", null, Snapshots.jammed(), List.of());
        assertThat(LatencyView.of(sample.components().get(0)).completeP50Nanos())
                .isPositive();
    }
}
