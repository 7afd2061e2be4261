package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.pipeline.spec.SpecReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dead letters after decoding: records with an invalid time, and groups whose sum does not fit. */
final class DeadLettersTest {

    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    @TempDir
    Path directory;

    @Test
    void shouldHaveTheRecordOfATimeThatLiesAheadOrIsMissing() throws Exception {
        String ahead = "\"" + NOW.plus(Duration.ofDays(3)) + "\",\"x\r\ny\"\"\",2";
        write("a.csv", "t,k,n\r\n" + NOW + ",a,1\r\n" + ahead + "\r\n,b,3\r\n");
        run("source: {file: %s/a.csv}".formatted(directory), "time: {field: t}", "");
        assertThat(letters())
                .anySatisfy(letter ->
                        assertThat(letter).contains("s ahead of the clock", "\"record\":\"" + escaped(ahead) + "\"}"))
                .anySatisfy(
                        letter -> assertThat(letter).contains("no value in the time field t", "\"record\":\",b,3\"}"))
                .hasSize(2);
    }

    @Test
    void shouldHaveTheWholeRecordOfAnElementThatIsRefused() throws Exception {
        String record = "{\"all\":[{\"t\":\"%s\",\"k\":\"a\",\"n\":1},{\"t\":\"%s\",\"k\":\"b\",\"n\":2}]}"
                .formatted(NOW, NOW.plus(Duration.ofDays(2)));
        write("a.json", "\n{}\n" + record + "\r\n");
        run("""
                source: {file: %s/a.json}
                flatten:
                  explode: all
                  fields: {t: {type: time, path: "@.t"}, k: {type: text, path: "@.k"}, n: {type: long, path: "@.n"}}
                """.formatted(directory), "time: {field: t}", "");
        assertThat(letters()).singleElement().asString().contains("\"record\":\"" + escaped(record) + "\"}");
        assertThat(results()).containsExactly("a,1");
    }

    @Test
    void shouldHaveTheWholeRecordOfATimeThatLiesAheadInABlock() throws Exception {
        String format = "{\"t\":%d,\r\"n\":1,\"k\":\"a\"}";
        String good = format.formatted(NOW.toEpochMilli());
        String ahead = format.formatted(NOW.plus(Duration.ofDays(3)).toEpochMilli());
        write("a.json", "{}\n" + (good + "\r\n").repeat(50) + (good + "\r\n" + ahead + "\r\n").repeat(3) + "{]\r\n");
        run("""
                source: {file: %s/a.json}
                flatten: {fields: {t: {type: time, format: millis}, k: text, n: long}}
                """.formatted(directory), "time: {field: t}", "");
        assertThat(letters())
                .filteredOn(letter -> letter.endsWith("\"record\":\"" + escaped(ahead) + "\"}"))
                .hasSize(3);
        assertThat(letters()).last().asString().endsWith("\"record\":\"{]\"}");
        assertThat(results()).containsExactly("a,53");
    }

    @Test
    void shouldLetTimesLieAsFarAheadAsItIsToldTo() throws Exception {
        write("a.csv", "t,k,n\n" + NOW.plus(Duration.ofDays(3)) + ",a,1\n" + NOW.plus(Duration.ofHours(2)) + ",b,2\n");
        String source = "source: {file: %s/a.csv}".formatted(directory);
        run(source, "time: {field: t}", "");
        assertThat(results()).containsExactly("b,2");
        run(source, "time: {field: t, ahead: 4d}", "");
        assertThat(results()).containsExactly("a,1", "b,2");
        run(source, "time: {field: t, ahead: 1h}", "");
        assertThat(results()).isEmpty();
    }

    /** Neither can windows of such times be computed, nor can all sinks write them. */
    @Test
    void shouldRefuseTimesBeforeTheYearOne() throws Exception {
        write("a.csv", "t,k,n\n-100000000000000000,a,1\n-9223372036854,b,2\n-62135596800001,c,3\n1,d,4\n");
        run("""
                source: {file: %s/a.csv}
                flatten: {fields: {t: {type: time, format: millis}, k: text, n: long}}
                """.formatted(directory), "time: {field: t, disorder: any}", "");
        assertThat(results()).containsExactly("b,2", "d,4");
        assertThat(letters()).hasSize(2).allMatch(letter -> letter.contains("before the year 1"));
    }

    @Test
    void shouldPutAGroupAsideWhoseSumDoesNotFitAndWriteTheOthers() throws Exception {
        overflow("keyed: true", "a.csv");
        overflow("parallelism: 2", "test");
    }

    @Test
    void shouldPutAGroupAsideThatWasOnDisk() throws Exception {
        overflow("limits: {groups: 2, spill: %s/spill}".formatted(directory), "test");
    }

    private void overflow(String how, String partition) throws Exception {
        write("a.csv", """
                t,k,n
                2020-01-01T00:00:01Z,big,9223372036854775807
                2020-01-01T00:00:02Z,back,9223372036854775807
                2020-01-01T00:00:02Z,back,9223372036854775807
                2020-01-01T00:00:02Z,back,-9223372036854775807
                2020-01-01T00:00:02Z,small,1
                2020-01-01T00:00:03Z,big,1
                2020-01-01T00:01:03Z,big,1
                """);
        boolean limits = how.startsWith("limits");
        PipelineProgress progress = run(
                "source: {file: %s/a.csv}\nname: test\n%s\nflatten: {fields: {t: time, k: text, n: long}}"
                        .formatted(directory, limits ? "" : how),
                "time: {field: t}",
                limits ? ", " + how : "");
        assertThat(results()).containsExactly("back,9223372036854775807", "big,1", "small,1");
        assertThat(letters())
                .singleElement()
                .asString()
                .contains(partition + "\",\"position\":-1,")
                .endsWith("""
                "reason":"total: the sum of n is 9223372036854775808, which does not fit into 64 bits: make the field a \
                floating-point number, or take its mean","record":"{\\"window_start\\":\\"2020-01-01T00:00:00Z\\",\
                \\"window_end\\":\\"2020-01-01T00:01:00Z\\",\\"k\\":\\"big\\",\\"total\\":null}"}""");
        assertThat(progress.overflows()).isEqualTo(1);
        assertThat(progress.groups()).isEqualTo(3);
    }

    private static String escaped(String text) {
        return text.replace("\"", "\\\"").replace("\r", "\\r").replace("\n", "\\n");
    }

    private void write(String name, String text) throws Exception {
        Files.writeString(directory.resolve(name), text);
    }

    private PipelineProgress run(String source, String time, String more) throws Exception {
        Files.deleteIfExists(directory.resolve("dead"));
        String yaml = """
                %s
                %s
                aggregate: {group_by: k, measures: {total: sum(n)}, every: 1m%s}
                dead_letters: {file: %s/dead}
                sinks: [{csv: "%s/out.csv"}]
                """.formatted(source, time, more, directory, directory);
        try (RunningPipeline running = Pipelines.start(new SpecReader(Map.of()).read("test.yaml", yaml, "test"))) {
            assertThat(running.awaitEnd(LIMIT)).as("ended").isTrue();
            assertThat(running.failure()).isNull();
            return running.progress();
        }
    }

    private List<String> letters() throws Exception {
        return Files.readAllLines(directory.resolve("dead"));
    }

    /** Group and sum, without the window. */
    private List<String> results() throws Exception {
        List<String> results = new ArrayList<>();
        Path out = directory.resolve("out.csv");
        if (Files.exists(out)) {
            Files.readAllLines(out).stream()
                    .skip(1)
                    .map(line -> line.replaceAll("^[^,]*,[^,]*,", ""))
                    .sorted()
                    .forEach(results::add);
        }
        return results;
    }
}
