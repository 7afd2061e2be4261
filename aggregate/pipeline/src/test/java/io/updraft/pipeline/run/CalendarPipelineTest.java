package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.SpecWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pipelines with windows of local days, from their description to their results. */
class CalendarPipelineTest {

    private static final List<String> ZONES =
            List.of("Europe/Vienna", "Africa/Lagos", "America/Sao_Paulo", "Asia/Kathmandu");

    @TempDir
    Path directory;

    /** Writes rows over four weeks, in which clocks change, and returns the totals of the local days. */
    private Map<String, Long> data(Path data, ZoneId zone, String key) throws Exception {
        SplittableRandom random = new SplittableRandom(5);
        StringBuilder lines = new StringBuilder("time,tz,n\n");
        Map<String, Long> totals = new TreeMap<>();
        Instant time = Instant.parse("2018-10-15T00:00:00Z");
        for (int i = 0; i < 5_000; i++) {
            time = time.plusSeconds(random.nextInt(1_000));
            String name = ZONES.get(random.nextInt(ZONES.size()));
            lines.append(time).append(',').append(name).append(',').append(i).append('\n');
            ZoneId local = zone == null ? ZoneId.of(name) : zone;
            var day = time.atZone(local).toLocalDate();
            String window = day.atStartOfDay(local).toInstant() + ","
                    + day.plusDays(1).atStartOfDay(local).toInstant();
            totals.merge(window + (key.isEmpty() ? "" : "," + name), (long) i, Long::sum);
        }
        Files.writeString(data, lines);
        return totals;
    }

    private static Map<String, Long> totals(Path out) throws Exception {
        Map<String, Long> totals = new TreeMap<>();
        for (String line : Files.readAllLines(out)) {
            int comma = line.lastIndexOf(',');
            if (!line.startsWith("window_start")) {
                totals.put(line.substring(0, comma), (long) Double.parseDouble(line.substring(comma + 1)));
            }
        }
        return totals;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "zone: Europe/Vienna | '' | 1 | 0s",
                "zone: Europe/Vienna | tz | 2 | any",
                "zone: {field: tz} | '' | 1 | 0s",
                "zone: {field: tz} | tz | 1 | 2h",
                "zone: {field: tz} | '' | 2 | any",
                "zone: {field: tz} | tz | 2 | any"
            })
    void shouldWriteTheTotalsOfLocalDays(String zone, String key, int parallelism, String disorder) throws Exception {
        Path data = directory.resolve("data.csv");
        Path out = directory.resolve("out.csv");
        ZoneId local = zone.contains("field") ? null : ZoneId.of("Europe/Vienna");
        Map<String, Long> expected = data(data, local, key);
        PipelineProgress progress = ShortRuns.toEnd("days", """
                source: {file: %s}
                time: {field: time, disorder: %s}
                aggregate: {group_by: [%s], measures: {total: sum(n)}, every: day, %s}
                parallelism: %d
                sinks: [{csv: "%s"}]
                """.formatted(data, disorder, key, zone, parallelism, out));
        assertThat(progress.late()).isZero();
        assertThat(totals(out)).isEqualTo(expected);
    }

    /** The field of the zone may be part of what the decoder knows by its bytes, or stand alone; some rows have none. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "host, tz | {'host':'a','tz':'%s','n':%d,'time':'%s'}",
                "host | {'host':'a','tz':'%s','n':%d,'time':'%s'}",
                "host | {'tz':'%s','n':%d,'time':'%s','host':'a'}",
                "host, tz | {'tz':'%s','n':%d,'time':'%s','host':'a'}"
            })
    void shouldFindTheZoneWhereverARecordHasIt(String groupBy, String record) throws Exception {
        Path csv = directory.resolve("data.csv");
        Map<String, Long> expected = data(csv, null, "");
        StringBuilder lines = new StringBuilder();
        for (String line : Files.readAllLines(csv).subList(1, 5_001)) {
            String[] values = line.split(",");
            String json = record.replace("'", "\"");
            lines.append(json.formatted(values[1], Long.parseLong(values[2]), values[0]))
                    .append('\n');
            lines.append(json.replaceAll("\"tz\":\"%s\",", "").formatted(7, values[0]))
                    .append('\n');
        }
        Path data = Files.writeString(directory.resolve("data.json"), lines);
        Path out = directory.resolve("out.csv");
        PipelineProgress progress = ShortRuns.toEnd("json", """
                source: {file: %s}
                time: {field: time}
                aggregate: {group_by: [%s], measures: {total: sum(n)}, every: day, zone: {field: tz}}
                sinks: [{csv: "%s"}]
                """.formatted(data, groupBy, out));
        assertThat(progress.rejected()).isEqualTo(5_000);
        Map<String, Long> found = new TreeMap<>();
        totals(out).forEach((key, total) -> found.merge(key.replaceAll(",a.*", ""), total, Long::sum));
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void shouldWriteAFileForEachWindowOfAZone() throws Exception {
        Path data = directory.resolve("data.csv");
        Map<String, Long> expected = data(data, null, "");
        ShortRuns.toEnd("files", """
                source: {file: %s}
                time: {field: time}
                aggregate: {measures: {total: sum(n)}, every: day, zone: {field: tz}}
                sinks: [{csv: "%s/out/{window_start}-{window_end}.csv"}]
                """.formatted(data, directory));
        Map<String, Long> found = new TreeMap<>();
        try (var files = Files.list(directory.resolve("out"))) {
            for (Path file : files.toList()) {
                found.putAll(totals(file));
            }
        }
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void shouldRejectRowsWithoutAKnownZone() throws Exception {
        Path data = Files.writeString(directory.resolve("data.csv"), """
                time,tz,n
                2024-03-31T10:00:00Z,Europe/Vienna,1
                2024-03-31T11:00:00Z,Mars/Olympus,2
                2024-03-31T12:00:00Z,,4
                2024-03-31T13:00:00Z,Africa/Lagos,8
                """);
        Path out = directory.resolve("out.csv");
        Path bad = directory.resolve("bad.jsonl");
        PipelineProgress progress = ShortRuns.toEnd("zones", """
                source: {file: %s}
                time: {field: time}
                aggregate: {measures: {total: sum(n)}, every: day, zone: {field: tz}}
                dead_letters: {file: %s}
                sinks: [{csv: "%s"}]
                """.formatted(data, bad, out));
        assertThat(progress.rejected()).isEqualTo(2);
        assertThat(progress.rows()).isEqualTo(2);
        assertThat(bad)
                .content()
                .contains(
                        "tz: 'Mars/Olympus' is not a time zone, such as UTC, +01:00 or Europe/Vienna",
                        "no value in the zone field tz");
        assertThat(totals(out))
                .isEqualTo(Map.of(
                        "2024-03-30T23:00:00Z,2024-03-31T22:00:00Z", 1L,
                        "2024-03-30T23:00:00Z,2024-03-31T23:00:00Z", 8L));
    }

    /** The next run continues where windows of several zones have ended at different times. */
    @Test
    void shouldContinueAfterARestart() throws Exception {
        Path data = Files.writeString(directory.resolve("data.csv"), """
                time,tz,n
                2024-03-31T10:00:00Z,Europe/Vienna,1
                2024-03-31T10:00:00Z,Africa/Lagos,2
                """);
        Path out = directory.resolve("out.csv");
        String yaml = """
                source: {file: {path: %s, resume: true}}
                flatten: {fields: {time: time, tz: text, n: long}}
                time: {field: time}
                aggregate: {measures: {total: sum(n)}, every: day, zone: %s}
                state: %s
                sinks: [csv: "%s"]
                """;
        String first = yaml.formatted(data, "{field: tz}", directory.resolve("state"), out);
        ShortRuns.toEnd("restarts", first);
        Files.writeString(data, """
                2024-03-31T21:00:00Z,Europe/Vienna,4
                2024-03-31T22:30:00Z,Europe/Vienna,8
                2024-03-31T22:30:00Z,Africa/Lagos,16
                2024-04-01T10:00:00Z,Africa/Lagos,32
                """, StandardOpenOption.APPEND);
        PipelineProgress second = ShortRuns.toEnd("restarts", first);
        assertThat(second.late()).isEqualTo(2);
        assertThat(totals(out))
                .isEqualTo(Map.of(
                        "2024-03-30T23:00:00Z,2024-03-31T22:00:00Z", 1L,
                        "2024-03-30T23:00:00Z,2024-03-31T23:00:00Z", 2L,
                        "2024-03-31T22:00:00Z,2024-04-01T22:00:00Z", 8L,
                        "2024-03-31T23:00:00Z,2024-04-01T23:00:00Z", 32L));
        try (RunningPipeline other =
                ShortRuns.start("restarts", yaml.formatted(data, "Europe/Vienna", directory.resolve("state"), out))) {
            assertThat(other.awaitEnd(Duration.ofMinutes(2))).isTrue();
            assertThat(other.failure()).contains("'zone'");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "every: day | every: day;slide: day;zone: UTC",
                "every: week, slide: day, zone: Europe/Vienna | every: week;slide: day;zone: Europe/Vienna",
                "every: MONTH, zone: '+05:30' | every: month;slide: month;zone: '+05:30'",
                "every: quarter, lateness: 1h, zone: {field: tz} | every: quarter;lateness: 1h;zone:;  field: tz",
                "every: year, early: 1d | every: year;early: 1d;zone: UTC"
            })
    void shouldWriteWindowsThatReadAsTheSame(String windows, String lines) throws Exception {
        Path data = Files.writeString(directory.resolve("data.csv"), "time,tz,n\n2024-03-31T10:00:00Z,UTC,1\n");
        PipelineSpec spec = ShortRuns.spec("again", """
                source: {file: %s}
                time: {field: time}
                aggregate: {measures: {total: sum(n)}, %s}
                """.formatted(data, windows));
        String text = SpecWriter.write(spec);
        assertThat(text).contains(lines.split(";"));
        assertThat(ShortRuns.spec("again", text)).isEqualTo(spec);
        assertThat(SpecWriter.sharedKeys(spec)).containsKey("zone");
    }
}
