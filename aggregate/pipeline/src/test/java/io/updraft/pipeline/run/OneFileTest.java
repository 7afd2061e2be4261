package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results of one file depend on the order of its records alone. */
class OneFileTest {

    private static final int RECORDS = 60_000;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"5s", "10s"})
    void shouldGiveTheSameResultsForAnyNumberOfTasks(String slide) throws Exception {
        Path log = Files.writeString(directory.resolve("log.csv"), records());
        String one = results(log, slide, 1);
        assertThat(one.lines().count()).isGreaterThan(100);
        assertThat(results(log, slide, 4)).isEqualTo(one);
    }

    @Test
    void shouldShareRecordsAmongTasksUnlessOrderDecides() throws Exception {
        Path log = Files.writeString(directory.resolve("log.csv"), "time,k,n\n");
        String one = "{file: %s}".formatted(log);
        assertThat(tasks(one, "disorder: 10s")).isEqualTo(1);
        assertThat(tasks(one, "disorder: any")).isEqualTo(4);
        String pattern = "{file: %s}".formatted(directory.resolve("*.csv"));
        assertThat(tasks(pattern, "disorder: 10s")).isEqualTo(1);
        Files.copy(log, directory.resolve("other.csv"));
        assertThat(tasks(pattern, "disorder: 10s")).isEqualTo(4);
        assertThat(tasks("{file: {path: %s, follow: true}}".formatted(directory), "disorder: 10s"))
                .isEqualTo(4);
    }

    @Test
    void shouldTakeTheFirstAndLastRecordOfAFileWithoutTimes() throws Exception {
        Path log = Files.writeString(directory.resolve("log.csv"), records());
        Path out = directory.resolve("out.csv");
        ShortRuns.toEnd("first", """
                source: {file: "%s"}
                flatten: {fields: {n: long}}
                aggregate: {measures: {first: first(n), last: last(n)}}
                parallelism: 4
                sinks: [{csv: {path: "%s"}}]
                """.formatted(log, out));
        assertThat(Files.readString(out)).endsWith("\n,,0," + (RECORDS - 1) + "\n");
    }

    private static int tasks(String source, String disorder) throws Exception {
        return ShortRuns.spec("tasks", """
                source: %s
                format: {type: csv, header: true}
                flatten: {fields: {time: {type: time, format: seconds}, k: text}}
                time: {field: time, %s}
                aggregate: {group_by: k, measures: {n: count()}, every: 10s}
                parallelism: 4
                """.formatted(source, disorder)).parallelism();
    }

    private String results(Path log, String slide, int parallelism) throws Exception {
        Path out = directory.resolve("out.csv");
        long late = ShortRuns.toEnd("one", """
                source: {file: "%s"}
                flatten: {fields: {time: {type: time, format: seconds}, k: text, n: long}}
                time: {field: time, disorder: 3s}
                aggregate: {group_by: k, measures: {n: count(), total: sum(n)}, every: 10s, slide: %s}
                parallelism: %d
                sinks: [{csv: {path: "%s"}}]
                """.formatted(log, slide, parallelism, out))
                .late();
        return Files.readString(out) + "late: " + late + "\n";
    }

    private static String records() {
        Random random = new Random(4);
        StringBuilder lines = new StringBuilder("time,k,n,comment\n");
        for (int i = 0; i < RECORDS; i++) {
            lines.append(1_577_836_800L + i / 100 - random.nextInt(6))
                    .append(",k")
                    .append(random.nextInt(5))
                    .append(',')
                    .append(i)
                    .append(",a comment that makes the file longer than the pieces in which it is read\n");
        }
        return lines.toString();
    }
}
