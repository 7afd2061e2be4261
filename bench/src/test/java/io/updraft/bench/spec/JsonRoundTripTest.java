package io.updraft.bench.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRoundTripTest {

    private final RunCounts counts = new RunCounts(5, 4, 8, 6, 3, 1);

    @Test
    void shouldReadTheResultThatWasWritten() {
        RunResult result = new RunResult(
                List.of("emitted 5 but \"bolt\" received 4\nand\\more"),
                812,
                10_000_000_123L,
                counts,
                counts,
                new ProcessUsage(1, 2, -1),
                new LatencyPercentiles(6, 7, 8, 9, 10, 11),
                Map.of("figure", 12));

        assertThat(Json.write(result)).hasLineCount(1);
        assertThat(Json.read(Json.write(result), RunResult.class)).isEqualTo(result);
    }

    @Test
    void shouldReadTheSpecificationThatWasWritten() {
        Shape shape = new Shape("sol", 1, 2, 3, 10, true, 100_000, 1.25);
        Map<String, Object> conf = new LinkedHashMap<>();
        conf.put("a.number", 5L);
        conf.put("a.fraction", 0.0005);
        conf.put("a.list", List.of("x", true));
        conf.put("nothing", null);
        RunSpec spec = new RunSpec("some.Cluster", shape, conf, 1000, 2000, 0);

        assertThat(Json.read(Json.write(spec), RunSpec.class)).isEqualTo(spec);
    }

    @Test
    void shouldReadTheRowThatWasWritten() {
        ProgressRow row = new ProgressRow("RUNNING", 3, 1000, 500, counts, 12);

        assertThat(Json.read(Json.write(row), ProgressRow.class)).isEqualTo(row);
    }

    @Test
    void shouldWriteWhatIsNoNumberAsNull() {
        List<Object> values = new ArrayList<>(List.of(Double.NaN, 1.5, List.of(), Map.of()));

        assertThat(Json.write(values)).isEqualTo("[null,1.5,[],{}]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "{\"a\"}", "{\"a\":1,}", "{\"a\":1} x", "{\"a\":word}", "{\"a\":\"b}"})
    void shouldRefuseWhatIsNoObject(String text) {
        assertThatThrownBy(() -> Json.readObject(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
