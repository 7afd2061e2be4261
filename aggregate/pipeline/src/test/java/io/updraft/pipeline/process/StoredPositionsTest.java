package io.updraft.pipeline.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is followed into sinks that keep its positions with the results, through processes that are killed as they write. */
@Tag("slow")
final class StoredPositionsTest {

    private static final int PER_WINDOW = 60;
    private static final int KEYS = 3;
    private static final int WINDOWS_PER_LIFE = 200;
    private static final int LIVES = 3;
    private static final long START = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private static final Duration LIMIT = Duration.ofMinutes(8);

    private record Key(long window, String key) {}

    private record Result(long count, long sum) {}

    private interface Written {
        List<Map.Entry<Key, Result>> read() throws Exception;
    }

    @TempDir
    Path directory;

    private long number;
    private final Random random = new Random(11);

    @Test
    void shouldWriteEachWindowOnceIntoOneFileHoweverOftenItIsKilled() throws Exception {
        Path out = directory.resolve("out.csv");
        shouldWriteEachWindowOnce("csv: \"" + out + "\"", () -> rows(out));
    }

    @Test
    void shouldKeepTotalsExactInPostgresHoweverOftenItIsKilled() throws Exception {
        Assumptions.assumeTrue(PostgresServer.isInstalled(), PostgresServer.missing());
        try (PostgresServer postgres = PostgresServer.start()) {
            String sink = "postgres: {url: \"%s\", user: \"%s\", password: \"%s\", table: totals, create: true}"
                    .formatted(postgres.url(), PostgresServer.USER, PostgresServer.PASSWORD);
            shouldWriteEachWindowOnce(sink, () -> rows(postgres));
        }
    }

    @Test
    void shouldHaveWrittenWhatIsPutAsideBeforePositionsBehindItAreKept() throws Exception {
        Path data = Files.writeString(directory.resolve("data.csv"), "t,k\n1000,a\n9000,a\n");
        Path out = directory.resolve("out.csv");
        Path state = directory.resolve("positions");
        Path late = directory.resolve("late.json");
        Path bad = directory.resolve("bad.json");
        String yaml = """
                source: {file: %s, follow: true}
                flatten: {fields: {t: {type: time, format: millis}, k: text}}
                aggregate: {group_by: k, measures: {n: count()}, every: 1s}
                sinks: [{csv: %s}]
                time: {field: t, idle: 1h}
                late: {file: %s}
                dead_letters: {file: %s}
                parallelism: 1
                state: %s
                """.formatted(data, out, late, bad, state);
        try (PipelineProcesses processes = new PipelineProcesses(directory, yaml)) {
            processes.start();
            Await.until(
                    "two lines are written",
                    LIMIT,
                    () -> Files.exists(out) && Files.readAllLines(out).size() == 2,
                    processes::logs);
            Files.writeString(data, "bad,a\n1000,late\n", StandardOpenOption.APPEND);
            long end = Files.size(data);
            number = 20_000;
            // Window after window, until the position passes what came before.
            Await.until(
                    "the position is stored",
                    LIMIT,
                    () -> position(state) >= end || isAppended(data, number++ + "000,a\n"),
                    processes::logs);
            processes.kill(0);
        }
        assertThat(Files.readString(bad)).contains("\"record\":\"bad,a\"");
        assertThat(Files.readString(late))
                .contains("\"record\":\"{\\\"t\\\":\\\"1970-01-01T00:00:01Z\\\",\\\"k\\\":\\\"late\\\"}\"");
    }

    private static boolean isAppended(Path data, String line) throws IOException {
        Files.writeString(data, line, StandardOpenOption.APPEND);
        return false;
    }

    private static long position(Path state) throws IOException {
        List<String> lines = Files.exists(state) ? Files.readAllLines(state) : List.of();
        return lines.size() < 2 ? -1 : Long.parseLong(lines.get(1).split("\t")[0]);
    }

    private void shouldWriteEachWindowOnce(String sink, Written written) throws Exception {
        Path data = Files.writeString(directory.resolve("data.csv"), "t,k,v\n");
        String yaml = """
                source: {file: %s, follow: true}
                flatten: {fields: {t: {type: time, format: millis}, k: text, v: long}}
                aggregate: {group_by: k, measures: {n: count(), s: sum(v)}, every: 1s}
                sinks: [{%s}]
                time: {field: t, idle: 1s}
                parallelism: 2
                state: %s
                """.formatted(data, sink, directory.resolve("positions"));
        int all = LIVES * WINDOWS_PER_LIFE;
        try (PipelineProcesses processes = new PipelineProcesses(directory, yaml)) {
            processes.start();
            for (int life = 0; life < LIVES; life++) {
                int enough = (life * WINDOWS_PER_LIFE + random.nextInt(WINDOWS_PER_LIFE / 2)) * KEYS;
                append(data, WINDOWS_PER_LIFE / 2);
                await(written, enough, processes);
                append(data, WINDOWS_PER_LIFE / 2);
                processes.replace(0);
            }
            append(data, 1);
            await(written, all * KEYS, processes);
        }
        assertThat(counted(written.read())).isEqualTo(expected(all));
    }

    private void append(Path data, int windows) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < windows * PER_WINDOW; i++, number++) {
            lines.append(START + number * 1000 / PER_WINDOW)
                    .append(",k")
                    .append(number % KEYS)
                    .append(',')
                    .append(number)
                    .append('\n');
        }
        Files.writeString(data, lines, StandardOpenOption.APPEND);
    }

    private static void await(Written written, int rows, PipelineProcesses processes) throws Exception {
        Await.until(rows + " rows are written", LIMIT, () -> written.read().size() >= rows, processes::logs);
    }

    /** Each window's row once: a second one is a failure. */
    private static Map<Key, Result> counted(List<Map.Entry<Key, Result>> rows) {
        Map<Key, Result> results = new HashMap<>();
        for (Map.Entry<Key, Result> row : rows) {
            assertThat(results.put(row.getKey(), row.getValue()))
                    .as("twice: " + row)
                    .isNull();
        }
        return results;
    }

    private static Map<Key, Result> expected(int windows) {
        Map<Key, Result> expected = new HashMap<>();
        for (long number = 0; number < (long) windows * PER_WINDOW; number++) {
            long value = number;
            Key key = new Key(START + number / PER_WINDOW * 1000, "k" + number % KEYS);
            expected.merge(key, new Result(1, value), (a, b) -> new Result(a.count() + 1, a.sum() + value));
        }
        return expected;
    }

    /** Whole lines only: the process is in the middle of the last one. */
    private static List<Map.Entry<Key, Result>> rows(Path out) throws IOException {
        List<Map.Entry<Key, Result>> rows = new ArrayList<>();
        String text = Files.exists(out) ? Files.readString(out) : "";
        String[] lines = text.substring(0, text.lastIndexOf('\n') + 1).split("\n");
        for (int i = 1; i < lines.length; i++) {
            String[] fields = lines[i].split(",");
            rows.add(row(Instant.parse(fields[0]).toEpochMilli(), fields[2], fields[3], fields[4]));
        }
        return rows;
    }

    private static Map.Entry<Key, Result> row(long window, String key, String count, String sum) {
        return Map.entry(new Key(window, key), new Result(Long.parseLong(count), Long.parseLong(sum)));
    }

    private static List<Map.Entry<Key, Result>> rows(PostgresServer postgres) throws SQLException {
        List<Map.Entry<Key, Result>> rows = new ArrayList<>();
        try (Connection connection =
                        DriverManager.getConnection(postgres.url(), PostgresServer.USER, PostgresServer.PASSWORD);
                Statement statement = connection.createStatement()) {
            try (ResultSet there = statement.executeQuery("SELECT to_regclass('totals') IS NOT NULL")) {
                if (!there.next() || !there.getBoolean(1)) {
                    return rows;
                }
            }
            try (ResultSet row = statement.executeQuery(
                    "SELECT (extract(epoch FROM window_start) * 1000)::bigint, k, n, s FROM totals")) {
                while (row.next()) {
                    rows.add(row(row.getLong(1), row.getString(2), row.getString(3), row.getString(4)));
                }
            }
        }
        return rows;
    }
}
