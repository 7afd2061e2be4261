package io.updraft.stormcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Writes a {@code storm.yaml}. */
final class YamlTest {

    @Test
    void shouldQuoteStringsAndNothingElse() {
        Map<String, Object> conf = new LinkedHashMap<>();
        conf.put("a", List.of(1, true, "x \"y\" \\z"));
        conf.put("b", 1.5);
        assertThat(Yaml.of(conf)).isEqualTo("{\"a\": [1, true, \"x \\\"y\\\" \\\\z\"],\n\"b\": 1.5}");
    }
}
