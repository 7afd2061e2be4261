package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.observe.pipeline.PipelineWatermark;
import io.updraft.observe.pipeline.RejectedSample;
import io.updraft.observe.pipeline.RejectedSample.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a running pipeline tells about rejected records, the time of its data, and its memory. */
final class PipelineViewTest {

    @TempDir
    Path directory;

    @Test
    void shouldKeepSamplesOfBadAndLateRecordsWithoutSinksForThem() throws Exception {
        String first = "t,k,n\n2020-01-01T00:00:30Z,a,1\n";
        String second = first + "2020-01-01T00:05:00Z,a,1\n";
        String bad = "never,b,2\n";
        try (RunningPipeline running = start(second + bad + "2020-01-01T00:00:10Z,c,3\n", "time: {field: t}", "")) {
            ShortRuns.await(running, progress -> progress.rejected() == 1 && progress.late() == 1);
            RejectedSample letter = only(running, Kind.REJECTED);
            assertThat(letter.place()).isEqualTo(file() + " line 4 (byte " + second.length() + ")");
            assertThat(letter.record()).isEqualTo("never,b,2");
            assertThat(letter.reason()).isNotBlank();
            assertThat(Instant.ofEpochMilli(letter.timeMillis()))
                    .isBetween(Instant.now().minus(Duration.ofMinutes(3)), Instant.now());
            RejectedSample late = only(running, Kind.LATE);
            assertThat(late.place()).isEqualTo(file() + " line 5 (byte " + (second + bad).length() + ")");
            assertThat(late.reason()).contains("windows of 2020-01-01T00:00:10Z are closed");
            assertThat(late.record()).isEqualTo("{\"t\":\"2020-01-01T00:00:10Z\",\"k\":\"c\",\"n\":3}");
            assertThat(running.rejected()).hasSize(2);
        }
    }

    @Test
    void shouldKeepASampleOfAGroupWhoseSumDoesNotFit() throws Exception {
        String rows = "t,k,n\n2020-01-01T00:00:01Z,big,9223372036854775807\n2020-01-01T00:00:02Z,big,1\n";
        try (RunningPipeline running = start(rows + "2020-01-01T00:05:00Z,a,1\n", "time: {field: t}", "")) {
            ShortRuns.await(running, progress -> !running.rejected().isEmpty());
            RejectedSample group = only(running, Kind.OVERFLOW);
            assertThat(group.reason()).contains("the sum of n is 9223372036854775808");
            assertThat(group.record()).contains("\"k\":\"big\"");
            assertThat(group.place()).doesNotContain(" at ");
        }
    }

    private RejectedSample only(RunningPipeline running, Kind kind) {
        return running.rejected().stream()
                .filter(sample -> sample.kind() == kind)
                .reduce((one, other) -> {
                    throw new AssertionError(one + " and " + other);
                })
                .orElseThrow();
    }

    @Test
    void shouldTellTheWatermarkAndTheTimeOfEachPartition() throws Exception {
        try (RunningPipeline running = start(
                "t,k,n\n2020-01-01T00:05:30Z,a,1\n2020-01-01T00:04:00Z,a,1\n", "time: {field: t, disorder: 2m}", "")) {
            ShortRuns.await(running, progress -> running.watermark().watermark() != PipelineWatermark.UNKNOWN);
            PipelineWatermark now = running.watermark();
            assertThat(Instant.ofEpochMilli(now.watermark())).isEqualTo("2020-01-01T00:03:30Z");
            assertThat(Instant.ofEpochMilli(now.completeUntil())).isEqualTo("2020-01-01T00:03:00Z");
            assertThat(Instant.ofEpochMilli(now.latest())).isEqualTo("2020-01-01T00:05:30Z");
            assertThat(now.slowest()).isEqualTo(file());
            assertThat(now.partitions()).containsExactly(new PipelineWatermark.Partition(file(), now.latest()));
        }
    }

    @Test
    void shouldKnowNoWatermarkOfRowsWithoutTime() throws Exception {
        Files.writeString(directory.resolve("a.csv"), "k,n\na,1\n");
        String yaml = """
                source: {file: %s}
                flatten: {fields: {k: text, n: long}}
                aggregate: {group_by: k, measures: {total: sum(n)}}
                sinks: [{csv: "%s/out.csv"}]
                """.formatted(file(), directory);
        try (RunningPipeline running = ShortRuns.start("test", yaml)) {
            assertThat(running.awaitEnd(Duration.ofMinutes(2))).isTrue();
            assertThat(running.watermark()).isEqualTo(PipelineWatermark.NONE);
            assertThat(running.memory().spilledBytes())
                    .as("without a directory")
                    .isEqualTo(-1);
        }
    }

    @Test
    void shouldTellHowManyBytesAreSpilled() throws Exception {
        StringBuilder rows = new StringBuilder("t,k,n\n");
        for (int i = 0; i < 1_000; i++) {
            rows.append("2020-01-01T00:00:01Z,key-").append(i).append(",1\n");
        }
        String limits = "limits: {groups: 100, memory: 64MB, spill: %s}".formatted(directory.resolve("spill"));
        try (RunningPipeline running = start(rows.toString(), "time: {field: t}", ", " + limits)) {
            ShortRuns.await(running, progress -> running.memory().spilledBytes() > 10_000);
            assertThat(running.memory().maxBytes()).isPositive().isLessThanOrEqualTo(64L << 20);
            assertThat(running.memory().maxGroups()).isEqualTo(100);
        }
    }

    private String file() {
        return directory.resolve("a.csv").toString();
    }

    /** Starts a pipeline with windows of a minute, which follows a file, so that it goes on. A row can be late in its chunk. */
    private RunningPipeline start(String rows, String time, String more) throws Exception {
        Files.writeString(directory.resolve("a.csv"), rows);
        return ShortRuns.start("test", """
                source: {file: %s, follow: true, resume: false}
                flatten: {fields: {t: time, k: text, n: long}}
                %s
                aggregate: {group_by: k, measures: {total: sum(n)}, every: 1m%s}
                keyed: true
                sinks: [{csv: "%s/out.csv"}]
                """.formatted(file(), time, more, directory));
    }
}
