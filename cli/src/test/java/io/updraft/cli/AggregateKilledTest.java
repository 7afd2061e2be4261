package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a pipeline that follows a file again and again. In the end, each window's file must have each record once. Only one
 * task aggregates, so that it has certainly received a record when the file is idle.
 */
@Tag("slow")
class AggregateKilledTest {

    private static final int PER_WINDOW = 100;
    private static final int WINDOWS_PER_LIFE = 40;
    private static final int LIVES = 5;
    private static final long START = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    @TempDir
    Path directory;

    private long number;

    @Test
    void shouldCountEachRecordOnceHoweverOftenItIsKilled() throws Exception {
        Path data = Files.writeString(directory.resolve("data.csv"), "t,k,v\n");
        Path out = directory.resolve("out");
        Path yaml = Files.writeString(
                directory.resolve("p.yaml"), """
                source: {file: %s, follow: true}
                flatten: {fields: {t: {type: time, format: millis}, k: text, v: long}}
                aggregate: {group_by: k, measures: {n: count(), s: sum(v)}, every: 1s}
                sinks: [{csv: "%s/{window_start}.csv"}]
                time: {field: t, idle: 1s}
                parallelism: 1
                state: %s
                """.formatted(data, out, directory.resolve("positions")));
        for (int life = 1; life <= LIVES; life++) {
            UpdraftProcess updraft = UpdraftProcess.start(directory, "aggregate", "--view", "none", yaml.toString());
            append(data, WINDOWS_PER_LIFE);
            awaitWindows(out, life * WINDOWS_PER_LIFE - WINDOWS_PER_LIFE / 2);
            updraft.signal("KILL");
            updraft.awaitExit();
        }
        UpdraftProcess last = UpdraftProcess.start(directory, "aggregate", "--view", "none", yaml.toString());
        append(data, 1);
        awaitWindows(out, LIVES * WINDOWS_PER_LIFE);
        last.signal("INT");
        assertThat(last.awaitExit()).as(last.err().toString()).isZero();
        assertThat(totals(out)).hasSize(LIVES * WINDOWS_PER_LIFE).allSatisfy((window, total) -> {
            long first = (long) (PER_WINDOW) * ((window - START) / 1000);
            assertThat(total).containsExactly(PER_WINDOW, PER_WINDOW * first + PER_WINDOW * (PER_WINDOW - 1L) / 2);
        });
    }

    private void append(Path data, int windows) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < windows * PER_WINDOW; i++, number++) {
            lines.append(START + number * 1000 / PER_WINDOW)
                    .append(",k")
                    .append(number % 3)
                    .append(',')
                    .append(number)
                    .append('\n');
        }
        Files.writeString(data, lines, StandardOpenOption.APPEND);
    }

    private static void awaitWindows(Path out, int count) throws IOException {
        Await.until(
                count + " windows are there",
                Duration.ofMinutes(8),
                () -> Files.isDirectory(out) && files(out).size() >= count);
    }

    private static List<Path> files(Path out) throws IOException {
        try (Stream<Path> files = Files.list(out)) {
            return files.filter(file -> file.toString().endsWith(".csv")).toList();
        }
    }

    private static TreeMap<Long, long[]> totals(Path out) throws IOException {
        TreeMap<Long, long[]> totals = new TreeMap<>();
        for (Path file : files(out)) {
            for (String line :
                    Files.readAllLines(file).subList(1, Files.readAllLines(file).size())) {
                String[] fields = line.split(",");
                long[] total = totals.computeIfAbsent(Instant.parse(fields[0]).toEpochMilli(), window -> new long[2]);
                total[0] += Long.parseLong(fields[3]);
                total[1] += Long.parseLong(fields[4]);
            }
        }
        return totals;
    }
}
