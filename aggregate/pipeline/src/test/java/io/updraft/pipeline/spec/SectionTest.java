package io.updraft.pipeline.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SectionTest {

    private static final String PIPELINE = """
            source: {generator: {records: 1}}
            aggregate: {measures: {n: count()}, limits: {groups: %s}}
            sinks: [{%s}]
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            csv: ""                                | 3:15: 'path' must be a text, not empty
            postgres: {url: "", table: t}          | 3:26: 'url' must be a text, not empty
            kafka: {bootstrap: "a:1", topic: ""}   | 3:43: 'topic' must be a text, not empty
            redis: {server: "redis://h", key: ""}  | 3:44: 'key' must be a text, not empty
            """)
    void shouldRefuseASinkWhoseRequiredKeyIsEmpty(String sink, String mistake) {
        SpecException e = catchThrowableOfType(SpecException.class, () -> read("9", sink));
        assertThat(e).as("no mistake found").isNotNull();
        assertThat(e).hasMessage("test.yaml:" + mistake);
    }

    @Test
    void shouldReportAValueThatIsNoNumberOnce() {
        SpecException e = catchThrowableOfType(SpecException.class, () -> read("many", "stdout: json"));
        assertThat(e).hasMessage("test.yaml:2:54: 'groups': 'many' is not a whole number");
    }

    private static PipelineSpec read(String groups, String sink) throws SpecException {
        return new SpecReader(Map.of()).read("test.yaml", PIPELINE.formatted(groups, sink), "test");
    }
}
