package io.updraft.observe.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.LatencyHistogram;
import io.updraft.engine.snapshot.LatencySummary;
import io.updraft.observe.view.Snapshots;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ComponentValueTest {
    private static double value(ComponentSnapshot component, String key) {
        List<Figure> figures = ComponentValue.series(component).figures();
        int index = IntStream.range(0, figures.size())
                .filter(at -> figures.get(at).key().equals(key))
                .findFirst()
                .orElseThrow();
        return ComponentValue.between(null, component, 1)[index];
    }

    private static LatencySummary latency(long nanos) {
        return new LatencySummary(nanos, nanos, nanos, nanos, nanos, LatencyHistogram.EMPTY);
    }

    @Test
    void shouldKeepNoLatencyOfAnIntervalWithoutCalls() {
        ComponentSnapshot busy = Snapshots.component("lines", true).withLatencies(latency(5), latency(8));
        ComponentSnapshot idle = busy.withoutIntervalLatencies();
        for (String key : List.of("executeP50Nanos", "executeP99Nanos", "completeP50Nanos", "completeP99Nanos")) {
            assertThat(value(busy, key)).as(key).isPositive();
            assertThat(value(idle, key)).as(key).isNaN();
        }
    }
}
