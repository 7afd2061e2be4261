package io.updraft.pipeline.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.updraft.pipeline.kafka.RouteOptions;
import io.updraft.storm.yaml.Mistakes.Mistake;
import io.updraft.timeseries.record.Schema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RouteReaderTest {

    private static final String HTTP = """
            source: {http: {listen: "127.0.0.1:0"}}
            route:
              key: [name, source]
              topic: measurements
              bootstrap: ["a:1,b:1", "c:1"]
              partitions: 12
            """;

    @Test
    void shouldReadWhereRecordsGo() throws Exception {
        PipelineSpec spec = read(HTTP + "  failover: 1s\n  properties: {compression.type: zstd}\n");
        RouteOptions route = spec.route();
        assertThat(route.key()).containsExactly("name", "source");
        assertThat(route.partitions()).isEqualTo(12);
        assertThat(route.value()).isEqualTo(RouteOptions.Value.RECORD);
        assertThat(route.failover()).isEqualTo(Duration.ofSeconds(1));
        assertThat(route.settings().targets())
                .extracting(target -> target.name() + " " + target.topic())
                .containsExactly("a:1,b:1 measurements", "c:1 measurements");
        assertThat(route.clusters().get(1)).containsEntry("compression.type", "zstd");
        assertThat(spec.aggregate()).isNull();
        assertThat(spec.sinks()).isEmpty();
        assertThat(spec.decode().schema().fields())
                .extracting(Schema.Field::name)
                .containsExactly("name", "source");
    }

    @Test
    void shouldWriteAllFieldsThatAreKnownWhereRowsAreWritten() throws Exception {
        assertThat(read(HTTP + "  value: row\n").decode().schema().fields())
                .extracting(Schema.Field::name)
                .containsExactlyInAnyOrder("name", "source", "type", "value", "measure_time");
    }

    @Test
    void shouldBeWrittenAsItWasRead() throws Exception {
        PipelineSpec spec = read(HTTP + "  answer: 20s\n  queue: 2MB\ndead_letters: {stderr: 1}\nparallelism: 3\n");
        assertThat(read(SpecWriter.write(spec))).isEqualTo(spec);
        PipelineSpec kafka = read("""
                source: {kafka: {bootstrap: "a:1", topic: raw}}
                format: json
                flatten: {explode: legs, fields: {k: {type: text, path: "@.k"}}}
                route: {key: k, topic: t, bootstrap: "a:1", partitions: 2, value: row}
                """);
        assertThat(read(SpecWriter.write(kafka))).isEqualTo(kafka);
        assertThat(kafka.keyed()).as("units can be divided among processes").isTrue();
    }

    @Test
    void shouldNameEachMistakeWithItsLine() {
        assertThat(mistakes("""
                        source: {http: {listen: "127.0.0.1:0"}}
                        route:
                          key: [nam]
                          topic: t
                          bootstrap: "a:1"
                          partitions: 0
                          failover: 20s
                          valu: row
                        aggregate: {measures: {n: count()}}
                        """))
                .containsExactly(
                        "test.yaml:3:8: there is no field 'nam'; did you mean 'name'?",
                        "test.yaml:6:15: 'partitions' must be from 1 to 1000000, not 0",
                        "test.yaml:7:13: 'answer' must be longer than 'failover', or every request that fails over times out",
                        "test.yaml:8:3: 'route' has no 'valu'; did you mean 'value'?",
                        "test.yaml:9:1: 'aggregate' cannot be combined with 'route', which aggregates nothing:"
                                + " leave one of them out");
        assertThat(mistakes("""
                        source: {kafka: {bootstrap: "a:1", topic: raw}}
                        format: json
                        flatten: {explode: legs, fields: {k: {type: double, path: "@.k"}}}
                        route: {key: k, bootstrap: ["a:1", "a:1"], answer: 20s}
                        """))
                .anyMatch(line -> line.startsWith("test.yaml:4:") && line.endsWith("'route' needs 'topic'"))
                .anyMatch(line -> line.startsWith("test.yaml:4:") && line.endsWith("'route' needs 'partitions'"))
                .anyMatch(line -> line.contains("'answer' is only for a source that answers its clients: http"));
        assertThat(mistakes("""
                        source: {kafka: {bootstrap: "a:1", topic: raw}}
                        format: json
                        flatten: {explode: legs, fields: {k: {type: double, path: "@.k"}}}
                        route: {key: k, topic: t, bootstrap: "a:1", partitions: 2}
                        """))
                .anyMatch(line -> line.startsWith("test.yaml:3:") && line.endsWith("set 'value: row' in 'route'"))
                .anyMatch(line -> line.startsWith("test.yaml:4:") && line.contains("k is a floating-point number"));
        assertThat(mistakes("source: {http: {listen: \"127.0.0.1:0\"}}\n"))
                .anyMatch(line -> line.contains("a pipeline needs 'aggregate', or 'route'"));
    }

    private static PipelineSpec read(String text) throws SpecException {
        return new SpecReader(Map.of()).read("test.yaml", text, "test");
    }

    private static List<String> mistakes(String text) {
        return catchThrowableOfType(SpecException.class, () -> read(text)).mistakes().stream()
                .map(Mistake::toString)
                .toList();
    }
}
