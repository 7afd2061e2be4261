package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.record.Chunk;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.source.SourceFactory;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.SpecReader;
import io.updraft.pipeline.spec.TimeSpec;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines from their description to their results, on the engine. */
final class PipelinesTest {

    private static final Duration LIMIT = Duration.ofMinutes(4);

    @TempDir
    Path directory;

    @Test
    void shouldAggregateAFileByKeyAndWindow() throws Exception {
        Path flights = Files.writeString(directory.resolve("flights.csv"), """
                time,carrier,delay
                2013-01-01T05:00:00Z,UA,2
                2013-01-01T05:04:00Z,AA,10
                2013-01-01T05:01:00Z,UA,3
                2013-01-01T05:06:00Z,UA,5
                2013-01-01T05:07:00Z,broken
                """);
        PipelineProgress progress =
                run("""
                source: {file: %s}
                time: {field: time, disorder: 1h}
                aggregate:
                  group_by: [carrier]
                  measures: {total: sum(delay), n: count()}
                  every: 5m
                dead_letters: {file: %s}
                sinks:
                  - csv: {path: "%s"}
                """.formatted(flights, directory.resolve("bad.jsonl"), directory.resolve("out.csv")));
        assertThat(directory.resolve("out.csv")).content().contains("AA,10,1", "UA,5,2", "UA,5,1");
        assertThat(directory.resolve("bad.jsonl")).content().contains("broken");
        assertThat(progress.records()).isEqualTo(5);
        assertThat(progress.rows()).isEqualTo(4);
        assertThat(progress.rejected()).isEqualTo(1);
        assertThat(progress.late()).isZero();
        assertThat(progress.windows()).isEqualTo(2);
        assertThat(progress.groups()).isEqualTo(3);
    }

    @Test
    void shouldWriteParquetThatReadsBackAsTheSameSums() throws Exception {
        StringBuilder lines = new StringBuilder("time,carrier,delay\n");
        List<String> expected = new ArrayList<>();
        for (int minute = 0; minute < 3; minute++) {
            for (int carrier = 0; carrier < 4; carrier++) {
                long sum = 0;
                for (int i = 0; i < 50; i++) {
                    long delay = minute * 1_000 + carrier * 100 + i;
                    sum += delay;
                    lines.append("2013-01-01T05:0%d:%02dZ,c%d,%d%n".formatted(minute, i, carrier, delay));
                }
                expected.add("05:0%d c%d 50 %d".formatted(minute, carrier, sum));
            }
        }
        Path flights = Files.writeString(directory.resolve("flights.csv"), lines);
        run("""
                source: {file: %s}
                time: {field: time, disorder: 1h}
                aggregate:
                  group_by: [carrier]
                  measures: {n: count(), total: sum(delay)}
                  every: 1m
                sinks:
                  - parquet: "%s/{window_start}.parquet"
                """.formatted(flights, directory.resolve("out")));
        List<String> read = new ArrayList<>();
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                ResultSet rows = duck.createStatement()
                        .executeQuery(
                                "SELECT strftime(window_start AT TIME ZONE 'UTC', '%H:%M'), carrier, n, total FROM"
                                        + " read_parquet('" + directory.resolve("out")
                                        + "/*.parquet') ORDER BY 1, 2")) {
            while (rows.next()) {
                read.add(rows.getString(1) + " " + rows.getString(2) + " " + rows.getLong(3) + " " + rows.getLong(4));
            }
        }
        assertThat(read).isEqualTo(expected);
    }

    /** The only chunk goes to one task; the other has seen no record of the file, and must not hold its windows open. */
    @Test
    void shouldCloseWindowsOfAQuietFileWhicheverTaskHasSeenItsRecords() throws Exception {
        Path log = Files.writeString(directory.resolve("log.csv"), """
                time,n
                2013-01-01T05:00:00Z,2
                2013-01-01T05:00:09Z,10
                """);
        Path out = directory.resolve("out.csv");
        PipelineSpec spec = new SpecReader(Map.of()).read("test.yaml", """
                source: {file: {path: %s, follow: true, resume: false}}
                time: {field: time, idle: 1h}
                aggregate:
                  measures: {total: sum(n)}
                  every: 2s
                parallelism: 2
                sinks:
                  - csv: {path: "%s"}
                """.formatted(log, out), "test");
        try (RunningPipeline running = Pipelines.start(spec)) {
            ShortRuns.await(running, LIMIT, progress -> progress.windows() > 0);
        }
        assertThat(out).content().contains("05:00:00").doesNotContain("05:00:08");
    }

    @Test
    void shouldWriteTheWindowsThatAreCompleteWhenItIsStopped() throws Exception {
        StringBuilder lines = new StringBuilder("time,n\n");
        for (int second = 0; second < 60; second++) {
            lines.append(String.format("2013-01-01T05:00:%02dZ,%d%n", second, second));
        }
        Path log = Files.writeString(directory.resolve("log.csv"), lines);
        for (int parallelism = 1; parallelism <= 3; parallelism++) {
            Path out = directory.resolve("out" + parallelism + ".csv");
            PipelineSpec spec =
                    new SpecReader(Map.of()).read("test.yaml", """
                    source: {file: {path: %s, follow: true, resume: false}}
                    time: {field: time, idle: 1h}
                    aggregate: {measures: {total: sum(n)}, every: 2s}
                    parallelism: %d
                    sinks: [{csv: {path: "%s"}}]
                    """.formatted(log, parallelism, out), "test");
            try (RunningPipeline running = Pipelines.start(spec)) {
                ShortRuns.await(running, LIMIT, progress -> progress.records() == 60);
                running.stop();
                assertThat(running.awaitEnd(LIMIT)).isTrue();
                assertThat(running.failure()).isNull();
            }
            assertThat(out).content().hasLineCount(1 + 29).contains("05:00:56").doesNotContain("\n2013-01-01T05:00:58");
        }
    }

    @Test
    void shouldRefuseToGoOnWithOtherWindowsUnderTheSameName() throws Exception {
        Path log = Files.writeString(directory.resolve("log.csv"), """
                time,k,n
                2013-01-01T05:00:00Z,a,2
                2013-01-01T05:00:09Z,b,10
                """);
        Path state = directory.resolve("state");
        try (RunningPipeline running = Pipelines.start(goingOn(log, state, "k", "2s"))) {
            ShortRuns.await(running, LIMIT, progress -> progress.windows() > 0);
        }
        String refused = log + " after a run with another 'every', 'slide', 'zone', 'group_by' or 'time'";
        assertThat(failureOf(goingOn(log, state, "k", "3s"))).contains(refused);
        assertThat(failureOf(goingOn(log, state, "n", "2s"))).contains(refused);
        try (RunningPipeline running = Pipelines.start(goingOn(log, state, "k", "2s"))) {
            ShortRuns.await(running, LIMIT, progress -> progress.records() > 0);
        }
    }

    private PipelineSpec goingOn(Path log, Path state, String groupBy, String every) throws Exception {
        return new SpecReader(Map.of())
                .read("test.yaml", """
                source: {file: {path: %s, follow: true}}
                flatten: {infer: true, fields: {n: long}}
                time: {field: time, idle: 1h}
                aggregate: {group_by: %s, measures: {total: sum(n)}, every: %s}
                state: %s
                sinks: [{csv: {path: "%s", anew: true}}]
                """.formatted(log, groupBy, every, state, directory.resolve("out.csv")), "test");
    }

    private static String failureOf(PipelineSpec spec) throws Exception {
        try (RunningPipeline running = Pipelines.start(spec)) {
            assertThat(running.awaitEnd(LIMIT)).isTrue();
            return running.failure();
        }
    }

    /** The end of the input closes windows of that run; what comes later is in windows of its own, or late. */
    @Test
    void shouldOpenLaterWindowsInTheNextRunAndCallRowsOfWrittenOnesLate() throws Exception {
        Path log = Files.writeString(directory.resolve("log.csv"), """
                time,n
                2013-01-01T05:00:00Z,2
                2013-01-01T05:00:09Z,10
                """);
        Path out = directory.resolve("out.csv");
        String yaml = resumed(log, out, "time: {field: time}\naggregate: {measures: {total: sum(n)}, every: 2s}");
        assertThat(run(yaml).windows()).isEqualTo(2);
        Files.writeString(log, """
                2013-01-01T05:00:01Z,5
                2013-01-01T05:00:21Z,7
                2013-01-01T05:00:09Z,6
                """, StandardOpenOption.APPEND);
        PipelineProgress second = run(yaml);
        assertThat(second.windows()).isEqualTo(1);
        assertThat(second.late()).isEqualTo(2);
        assertThat(directory.resolve("late.jsonl")).content().contains("n\\\":5", "n\\\":6");
        assertThat(out)
                .content()
                .contains(
                        "05:00:00Z,2013-01-01T05:00:02Z,2",
                        "05:00:08Z,2013-01-01T05:00:10Z,10",
                        "05:00:20Z,2013-01-01T05:00:22Z,7");
        assertThat(run(yaml).records()).as("nothing is new").isZero();
    }

    /** Its time is no record's, so it says nothing of those to come. */
    @Test
    void shouldGiveEachRunThatHasNoTimeAWindowOfWhatIsNew() throws Exception {
        Path log = Files.writeString(directory.resolve("log.csv"), "time,n\n2013-01-01T05:00:00Z,2\n");
        Path out = directory.resolve("out.csv");
        String yaml = resumed(log, out, "aggregate: {measures: {total: sum(n)}}");
        run(yaml);
        Files.writeString(log, "2013-01-01T05:00:00Z,5\n", StandardOpenOption.APPEND);
        PipelineProgress second = run(yaml);
        assertThat(second.late()).isZero();
        assertThat(second.windows()).isEqualTo(1);
        assertThat(Files.readAllLines(out)).hasSize(3);
    }

    private String resumed(Path log, Path out, String windows) {
        return """
                source: {file: {path: %s, resume: true}}
                flatten: {fields: {time: time, n: long}}
                %s
                parallelism: 2
                state: %s
                late: {file: %s}
                sinks: [csv: "%s"]
                """.formatted(log, windows, directory.resolve("positions"), directory.resolve("late.jsonl"), out);
    }

    /** As when there is no memory left: nobody would ever be told, and the run not end. */
    @Test
    void shouldEndARunOfWhichATaskHasAnError() throws Exception {
        Path log = Files.writeString(directory.resolve("log.json"), "{\"n\":1}\n");
        RunPlan plan = new RunPlan.Aggregation(
                new RunPlan.Settings(
                        "error",
                        kept -> SourceFactory.open(
                                new SourceSpec.Files(
                                        List.of(log.toString()),
                                        false,
                                        SourceSpec.Files.Order.TOGETHER,
                                        false,
                                        false,
                                        1 << 20),
                                DecodeSpec.json(DecodedColumn.of("n", FieldType.LONG)),
                                Duration.ZERO,
                                null,
                                kept),
                        OutOfMemoryHandler::new,
                        false,
                        true,
                        1,
                        Duration.ZERO,
                        null,
                        new RejectedRecordSinks(null, null),
                        new UnusableRecords(false, UnusableRecords.MAX_DAMAGED)),
                new Query(
                        new Schema(List.of(new Schema.Field("n", FieldType.LONG))),
                        List.of(),
                        List.of(new Measure("total", AggregateFunction.SUM, "n", 0)),
                        WindowSpec.ALL_TIME),
                null,
                null,
                AggregatorOptions.inMemory(),
                TimeSpec.NONE,
                Duration.ZERO,
                Duration.ofMillis(1),
                List.of());
        try (RunningPipeline running = RunningPipeline.start(plan, () -> {})) {
            assertThat(running.awaitEnd(LIMIT)).as("ended").isTrue();
            assertThat(running.failure()).startsWith("out of memory (Java heap space): ");
        }
    }

    private static final class OutOfMemoryHandler implements Decoder {
        @Override
        public int decode(Chunk chunk, RowHandler rows) {
            throw new OutOfMemoryError("Java heap space");
        }

        @Override
        public int recordFrom() {
            return 0;
        }

        @Override
        public int recordLength() {
            return 0;
        }
    }

    private static PipelineProgress run(String yaml) throws Exception {
        PipelineSpec spec = new SpecReader(Map.of()).read("test.yaml", yaml, "test");
        try (RunningPipeline running = Pipelines.start(spec)) {
            assertThat(running.awaitEnd(LIMIT)).as("ended").isTrue();
            assertThat(running.failure()).isNull();
            return running.progress();
        }
    }
}
