package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.pipeline.connector.SinkOptions;
import io.updraft.pipeline.kafka.KafkaSinkOptions;
import io.updraft.pipeline.sink.FileSinkOptions;
import io.updraft.pipeline.sink.PostgresSinkOptions;
import io.updraft.pipeline.text.ResultFormat;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SinkOrderTest {

    private static final SinkOptions KAFKA = new KafkaSinkOptions(
            "totals", ResultFormat.JSON, "group", "group", Map.of("bootstrap.servers", "localhost:1"));

    @Test
    void shouldFlushLastWhatKeepsPositionsAndKafkaVeryLast() {
        SinkOptions appends = new FileSinkOptions(ResultFormat.CSV, "a.csv", false);
        SinkOptions plain = new FileSinkOptions(ResultFormat.CSV, "b.csv", true);
        SinkOptions keeping = postgres("name");
        SinkOptions forgetting = postgres(null);
        assertThat(Pipelines.inOrder(List.of(KAFKA, appends, plain, keeping, forgetting)))
                .containsExactly(plain, forgetting, appends, keeping, KAFKA);
    }

    private static SinkOptions postgres(String pipeline) {
        return new PostgresSinkOptions(
                "jdbc:postgresql://localhost/x", null, null, "t", false, pipeline, Duration.ofSeconds(1));
    }

    @Test
    void shouldRefuseToCommitPositionsOfKafkaThatNoSourceHas() {
        assertThatThrownBy(() -> Pipelines.sink(KAFKA, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("topic totals", "group group", "only if the source is Kafka");
    }
}
