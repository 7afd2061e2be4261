package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.pipeline.spec.SpecReader;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A month of real flights, aggregated by a pipeline, against DuckDB and SQLite with the same SQL over the same records. */
final class FlightsTest {

    private static final int FLIGHTS = 27_004;
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final String TYPES = "'total': 'BIGINT', 'least': 'BIGINT', 'most': 'BIGINT', 'mean': 'DOUBLE'";
    private static final String RESULTS =
            "epoch(window_start)::BIGINT AS w, carrier, origin, n, left_n, total, least, most, mean, flown";

    /** An hour for each carrier and airport; SQLite and DuckDB both know this SQL. */
    private static final String SAME_SQL = """
            SELECT %s AS w, carrier, origin, count(*) AS n, count(dep_delay) AS left_n, sum(dep_delay) AS total,
                   min(dep_delay) AS least, max(dep_delay) AS most, avg(dep_delay) AS mean, sum(distance) AS flown
            FROM flights GROUP BY 1, 2, 3 ORDER BY 1, 2, 3""";

    @TempDir
    Path directory;

    private Path flights;

    @BeforeEach
    void unpack() throws IOException {
        flights = directory.resolve("flights.csv");
        try (InputStream zipped = FlightsTest.class.getResourceAsStream("/flights/flights-2013-01.csv.gz");
                InputStream in = new GZIPInputStream(zipped)) {
            Files.copy(in, flights);
        }
    }

    @Test
    void shouldGiveTheCountsSumsAndMeansThatDuckDbAndSqliteGive() throws Exception {
        run("1h", 2, "csv: {path: \"" + directory + "/hours.csv\"}");
        try (Connection duckdb = duckdb();
                Connection sqlite = sqlite()) {
            List<String> ours = rows(
                    duckdb,
                    "SELECT " + RESULTS + " FROM read_csv('" + directory + "/hours.csv', types = {" + TYPES
                            + "}) ORDER BY 1, 2, 3");
            assertThat(ours).hasSizeGreaterThan(5_000);
            assertThat(ours).isEqualTo(rows(duckdb, SAME_SQL.formatted("epoch(time_hour)::BIGINT // 3600 * 3600")));
            assertThat(ours).isEqualTo(rows(sqlite, SAME_SQL.formatted("unixepoch(time_hour) / 3600 * 3600")));
        }
    }

    @Test
    void shouldGiveTheDeviationsAndLastValuesThatDuckDbGives() throws Exception {
        run("1d", 1, "csv: {path: \"" + directory + "/days.csv\"}");
        try (Connection duckdb = duckdb()) {
            List<String> ours = rows(
                    duckdb,
                    "SELECT epoch(window_start)::BIGINT, carrier, origin, last_tail, spread FROM read_csv('" + directory
                            + "/days.csv', types = {'spread': 'DOUBLE'}) ORDER BY 1, 2, 3");
            assertThat(ours).hasSizeGreaterThan(900);
            assertThat(ours).isEqualTo(rows(duckdb, """
                    SELECT epoch(time_hour)::BIGINT // 86400 * 86400, carrier, origin,
                           last(tailnum ORDER BY time_hour, rowid) FILTER (tailnum IS NOT NULL),
                           stddev_pop(dep_delay)
                    FROM flights GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"""));
        }
    }

    private void run(String every, int parallelism, String sink) throws Exception {
        String yaml = """
                source: {file: %s}
                time: {field: time_hour, disorder: 2d}
                flatten:
                  fields: {time_hour: time, carrier: text, origin: text, tailnum: text, dep_delay: long, distance: long}
                aggregate:
                  group_by: [carrier, origin]
                  measures:
                    n: count()
                    left_n: count(dep_delay)
                    total: sum(dep_delay)
                    least: min(dep_delay)
                    most: max(dep_delay)
                    mean: avg(dep_delay)
                    spread: stddev(dep_delay)
                    last_tail: last(tailnum)
                    flown: sum(distance)
                  every: %s
                parallelism: %d
                sinks:
                  - %s
                """.formatted(flights, every, parallelism, sink);
        try (RunningPipeline running =
                Pipelines.start(new SpecReader(Map.of()).read("flights.yaml", yaml, "flights"))) {
            assertThat(running.awaitEnd(LIMIT)).as("ended").isTrue();
            assertThat(running.failure()).isNull();
            PipelineProgress progress = running.progress();
            assertThat(progress.rows()).isEqualTo(FLIGHTS);
            assertThat(progress.late()).isZero();
            assertThat(progress.rejected()).isZero();
        }
    }

    private Connection duckdb() throws SQLException {
        Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
        execute(
                duckdb,
                "CREATE TABLE flights AS SELECT * FROM read_csv('" + flights + "', header = true, types = {"
                        + "'time_hour': 'TIMESTAMP', 'dep_delay': 'BIGINT', 'distance': 'BIGINT'})");
        return duckdb;
    }

    /** SQLite has the records from DuckDB's reader of CSV; a file has no types that it could tell. */
    private Connection sqlite() throws SQLException {
        Connection sqlite = DriverManager.getConnection("jdbc:sqlite::memory:");
        execute(
                sqlite,
                "CREATE TABLE flights (time_hour TEXT, carrier TEXT, origin TEXT, dep_delay INTEGER, distance INTEGER)");
        sqlite.setAutoCommit(false);
        try (Connection duckdb = duckdb();
                Statement statement = duckdb.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT strftime(time_hour, '%Y-%m-%d %H:%M:%S'), carrier, origin, dep_delay, distance FROM flights");
                var insert = sqlite.prepareStatement("INSERT INTO flights VALUES (?, ?, ?, ?, ?)")) {
            while (row.next()) {
                for (int i = 1; i <= 5; i++) {
                    insert.setObject(i, row.getObject(i));
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
        sqlite.commit();
        return sqlite;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                StringBuilder text = new StringBuilder();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    text.append('|').append(value(row.getObject(i)));
                }
                rows.add(text.toString());
            }
        }
        return rows;
    }

    /**
     * Floating-point numbers with twelve digits: DuckDB adds deviations up one by one and is off in the last ones, where ours are
     * made of exact sums. Whole numbers with all of theirs.
     */
    private static String value(Object value) {
        if (!(value instanceof Double number)) {
            return String.valueOf(value);
        }
        BigDecimal rounded = new BigDecimal(number).round(new MathContext(12));
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
