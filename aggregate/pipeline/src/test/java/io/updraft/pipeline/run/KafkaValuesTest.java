package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.observe.pipeline.PipelineProgress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kafka records whose values are not JSON or CSV, are missing, or are very large. */
@Tag("slow")
final class KafkaValuesTest {

    private static final String EMPTY = "an empty record";

    @TempDir
    Path directory;

    @AutoClose
    private static ShortRuns runs;

    @BeforeAll
    static void start() {
        runs = new ShortRuns();
    }

    @ParameterizedTest
    @CsvSource({
        "json, '{\"k\":\"a\",\"n\":1}', json",
        "csv, 'a,1', '{type: csv, names: [k, n]}'",
        "single, 'a', '{type: csv, names: [k]}'",
        "nothing, 'a,1', '{type: csv, names: [k, n], null: NA}'"
    })
    void shouldPutRecordsAsideThatHaveNoValueOrAnEmptyOne(String name, String good, String format) throws Exception {
        runs.kafka.createTopic(name, 1, 1);
        runs.send(name, 0, null, good, "", good, null);
        PipelineProgress progress = run(name, format);
        assertThat(progress.records()).isEqualTo(5);
        assertThat(progress.rejected()).isEqualTo(3);
        assertThat(progress.rows()).isEqualTo(2);
        assertThat(Files.readAllLines(directory.resolve("bad.json")))
                .hasSize(3)
                .allSatisfy(line -> assertThat(line).contains("\"reason\":\"" + EMPTY, "\"record\":\"\""));
        assertThat(Files.readString(directory.resolve("out.csv"))).endsWith(",a,2\n");
        assertThat(runs.committed(name, name, 0)).isEqualTo(5);
        assertThat(run(name, format).records()).isZero();
    }

    @Test
    void shouldEndAtOnceWhereThereIsNoRecord() throws Exception {
        runs.kafka.createTopic("none", 3, 1);
        PipelineProgress progress = run("none", "json");
        assertThat(progress.records()).isZero();
        assertThat(progress.windows()).isZero();
        assertThat(run("none", "json").records()).isZero();
        runs.send("none", 1, "{\"k\":\"a\",\"n\":1}");
        assertThat(run("none", "json").rows()).isEqualTo(1);
    }

    /** Beyond what is fetched at once, and what may wait of a partition. */
    @Test
    void shouldReadRecordsThatAreLargerThanAllBuffers() throws Exception {
        runs.kafka.createTopic(
                new NewTopic("huge", 1, (short) 1).configs(Map.of("max.message.bytes", String.valueOf(40 << 20))));
        String small = "{\"k\":\"a\",\"n\":1}";
        runs.send("huge", 0, small, "{\"k\":\"a\",\"text\":\"" + "x".repeat(20 << 20) + "\"}", small);
        runs.send("huge", 0, "{" + "x".repeat(17 << 20), small);
        PipelineProgress progress = run("huge", "json");
        assertThat(List.of(progress.rows(), progress.rejected())).containsExactly(4L, 1L);
        assertThat(runs.committed("huge", "huge", 0)).isEqualTo(5);
    }

    private PipelineProgress run(String topic, String format) throws Exception {
        return ShortRuns.toEnd(topic, """
                source:
                  kafka: {bootstrap: "%s", topic: %s, to_end: true}
                format: %s
                flatten: {fields: {k: text}}
                time: source
                aggregate: {group_by: k, measures: {n: count()}, every: 1d}
                keyed: true
                parallelism: 2
                sinks: [{csv: "%s"}]
                dead_letters: {file: "%s"}
                """.formatted(
                runs.kafka.bootstrap(), topic, format, directory.resolve("out.csv"), directory.resolve("bad.json")));
    }
}
