package io.updraft.kafka.spout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.task.TopologyContext;
import org.junit.jupiter.api.Test;

final class EngineTracesTest {

    @Test
    void shouldKnowNothingButTheSpoutItselfFromStormsOwnContext() {
        TopologyContext storms = new TopologyContext(
                new StormTopology(),
                Map.of(),
                Map.of(7, "reader"),
                Map.of("reader", List.of(7)),
                Map.of(),
                Map.of(),
                "topology-1",
                null,
                null,
                7,
                6700,
                List.of(7),
                Map.of(),
                Map.of(),
                new HashMap<>(),
                new HashMap<>(),
                new AtomicBoolean(false),
                new StormMetricRegistry());
        EngineTraces engine = new EngineTraces(storms);
        assertThat(engine.spout()).isEqualTo("reader (task 7)");
        assertThat(engine.canTrace()).isFalse();
        assertThat(engine.canRun()).isFalse();
        assertThat(engine.holdups()).isEmpty();
    }
}
