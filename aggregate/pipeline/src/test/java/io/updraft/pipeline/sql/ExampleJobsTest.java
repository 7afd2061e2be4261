package io.updraft.pipeline.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.run.Pipelines;
import io.updraft.pipeline.run.RunningPipeline;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.ResultPlace;
import io.updraft.pipeline.spec.SpecReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jobs in {@code examples/aggregate} that queries describe, as runs, against DuckDB. */
class ExampleJobsTest {

    private static final Path EXAMPLES = Path.of("../../examples/aggregate");

    @TempDir
    Path directory;

    private static String example(String name) throws Exception {
        return Files.readString(EXAMPLES.resolve(name)).replace("examples/aggregate", EXAMPLES.toString());
    }

    private static PipelineSpec query(String name, Path out) throws Exception {
        return SqlQuery.read(
                new SpecReader(Map.of()), name, example(name), "q", null, List.of(ResultPlace.of(out.toString())));
    }

    private static List<String> run(PipelineSpec spec, Path out) throws Exception {
        try (RunningPipeline running = Pipelines.start(spec)) {
            assertThat(running.awaitEnd(Duration.ofSeconds(60))).as("ended").isTrue();
            assertThat(running.failure()).isNull();
        }
        List<String> lines = Files.readAllLines(out);
        return lines.subList(1, lines.size());
    }

    private static List<String> asked(String query) throws Exception {
        List<String> rows = new ArrayList<>();
        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckDb.createStatement()) {
            statement.execute("set TimeZone = 'UTC'");
            try (ResultSet result = statement.executeQuery(query)) {
                int columns = result.getMetaData().getColumnCount();
                while (result.next()) {
                    List<String> row = new ArrayList<>();
                    for (int i = 1; i <= columns; i++) {
                        row.add(result.getString(i) == null ? "" : result.getString(i));
                    }
                    rows.add(String.join(",", row));
                }
            }
        }
        return rows;
    }

    private static String clicks(String query) {
        return query.replace(
                "'" + EXAMPLES + "/clicks.json.gz'",
                "read_json('" + EXAMPLES
                        + "/clicks.json.gz', columns = {'time': 'TIMESTAMPTZ', 'session': 'VARCHAR', 'agent':"
                        + " 'VARCHAR', 'page': 'VARCHAR', 'status': 'BIGINT', 'ms': 'BIGINT', 'amount': 'VARCHAR'})");
    }

    @Test
    void shouldHaveRatiosOfClicksByHourAndDevice() throws Exception {
        Path out = directory.resolve("clicks.csv");
        List<String> rows = run(query("clicks.sql", out), out);

        // Which of several pages with the most views is the mode is not defined: the test leaves out the column.
        List<String> expected = asked(clicks(example("clicks.sql").replace("mode(page) AS page", "1")));
        assertThat(rows).hasSize(72);
        assertThat(rows.stream().map(row -> numbers(row, 2)))
                .containsExactlyElementsOf(
                        expected.stream().map(row -> numbers(row, 0)).toList());
    }

    /** Returns a row without some columns and without its last one. */
    private static String numbers(String row, int without) {
        String[] cells = row.split(",", -1);
        StringBuilder text = new StringBuilder();
        for (int i = without; i < cells.length - 1; i++) {
            text.append(cells[i].matches("[0-9.]+") ? String.format("%.9f", Double.valueOf(cells[i])) : cells[i])
                    .append(' ');
        }
        return text.toString();
    }

    @Test
    void shouldHaveThePagesWithTheMostViewsOfEachDayAndDevice() throws Exception {
        Path out = directory.resolve("pages.csv");
        List<String> rows = run(query("pages.sql", out), out);

        String ofDuckDb = clicks(example("pages.sql"))
                .replaceAll("FROM TUMBLE\\(TABLE (.*?\\}\\)), DESCRIPTOR.*\\)\\n", "FROM $1\n")
                .replaceFirst("window_start,", "strftime(" + day() + ", '%Y-%m-%dT%H:%M:%SZ') AS window_start,")
                .replace("GROUP BY window_start, window_end", "GROUP BY window_start")
                .replace("PARTITION BY window_start", "PARTITION BY " + day())
                .replace("GROUP BY window_start", "GROUP BY " + day());
        assertThat(rows.stream().map(row -> row.replaceFirst(",[^,]*", ""))).containsExactlyElementsOf(asked(ofDuckDb));
    }

    private static String day() {
        return "date_trunc('day', time AT TIME ZONE 'Europe/Vienna') AT TIME ZONE 'Europe/Vienna'";
    }

    @Test
    void shouldHaveSalesOfLocalDaysOverTheChangesOfTheClock() throws Exception {
        Path out = directory.resolve("sales.csv");
        String yaml = example("sales.yaml") + "sinks: [{csv: '" + out + "'}]\n";
        List<String> rows = run(new SpecReader(Map.of()).read("sales.yaml", yaml, "sales"), out);

        String local = day();
        assertThat(rows)
                .containsExactlyElementsOf(
                        asked(
                                "SELECT strftime(" + local + ", '%Y-%m-%dT%H:%M:%SZ'), strftime((" + local
                                        + " AT TIME ZONE 'Europe/Vienna' + INTERVAL 1 DAY) AT TIME ZONE 'Europe/Vienna', '%Y-%m-%dT%H:%M:%SZ'), shop,"
                                        + " sum(amount), count(*), round(CAST(sum(amount) AS DOUBLE) / count(*), 2), max(amount)"
                                        + " FROM (SELECT time, shop, CAST(replace(replace(amount, '.', ''), ',', '.') AS DECIMAL(18, 2)) AS amount FROM"
                                        + " read_csv('" + EXAMPLES
                                        + "/sales.csv', delim = ';', columns = {'time': 'TIMESTAMPTZ', 'shop': 'VARCHAR',"
                                        + " 'article': 'BIGINT', 'pieces': 'BIGINT', 'amount': 'VARCHAR'})) GROUP BY ALL ORDER BY 1, 3"))
                .hasSize(22)
                .anyMatch(row -> row.startsWith("2026-03-28T23:00:00Z,2026-03-29T22:00:00Z,"))
                .anyMatch(row -> row.startsWith("2026-10-24T22:00:00Z,2026-10-25T23:00:00Z,"));
    }
}
