package io.updraft.pipeline.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SharedKeysTest {

    private static final String KAFKA = """
            source: {kafka: {bootstrap: "a:1", topic: x}}
            format: json
            flatten: {fields: {k: text, v: long}, filter: v > %s}
            time: {source: true, disorder: 5s}
            """;

    private static final String AGGREGATE = KAFKA + """
            aggregate:
              group_by: k
              measures: {n: count(), s: %s(v)}
              every: 1h
              limits: {groups: %s}
            sinks: [{csv: %s}]
            """;

    private static Map<String, String> keys(String yaml, Object... values) throws Exception {
        return SpecWriter.sharedKeys(new SpecReader(Map.of()).read("test.yaml", yaml.formatted(values), "test"));
    }

    @Test
    void shouldHaveWhatDecidesTheResults() throws Exception {
        Map<String, String> keys = keys(AGGREGATE, 0, "sum", 1_000, "a.csv");
        assertThat(keys)
                .containsOnlyKeys("every", "flatten", "format", "group_by", "lateness", "measures", "slide", "time");
        assertThat(keys(AGGREGATE, 0, "max", 1_000, "a.csv").get("measures")).isNotEqualTo(keys.get("measures"));
        assertThat(keys(AGGREGATE, 1, "sum", 1_000, "a.csv").get("flatten")).isNotEqualTo(keys.get("flatten"));
    }

    @Test
    void shouldLeaveOutWhatEachProcessMayHaveOfItsOwn() throws Exception {
        assertThat(keys(AGGREGATE, 0, "sum", 1_000, "a.csv")).isEqualTo(keys(AGGREGATE, 0, "sum", 2_000, "b.csv"));
    }

    @Test
    void shouldHaveWhereARouteSendsAKey() throws Exception {
        Map<String, String> keys = keys(KAFKA.replaceFirst("(?m)^time.*\n", "") + """
                route: {key: k, topic: out, bootstrap: "a:1", partitions: 4}
                """, 0);
        assertThat(keys)
                .containsOnlyKeys("flatten", "format", "route.key", "route.partitions", "route.topic", "route.value");
    }
}
