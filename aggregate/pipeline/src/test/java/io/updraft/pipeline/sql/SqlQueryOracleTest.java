package io.updraft.pipeline.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.SpecException;
import io.updraft.pipeline.spec.SpecReader;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random queries against DuckDB, over a table of random values and one of flights. */
@Tag("one-jdk")
final class SqlQueryOracleTest {

    private static final int QUERIES = 600;
    private static final int ROWS = 300;
    private static final int SHOWN = 3;

    private static final RandomQuery.Table RANDOM = new RandomQuery.Table(
            List.of(
                    "s",
                    "u",
                    "p",
                    "a",
                    "a % 3",
                    "upper(s)",
                    "CASE WHEN a > 0 THEN 'high' ELSE 'low' END",
                    "hour(t) // 6"),
            List.of("a", "b", "x", "y"),
            List.of("s", "u"),
            List.of(
                    "a > 0",
                    "x < 10",
                    "s = 'ab'",
                    "u LIKE 'a%'",
                    "p",
                    "u IS NULL",
                    "b IN (1, 2, 3)",
                    "t > TIMESTAMPTZ '2026-01-03 00:00:00Z'"),
            "t",
            true);

    private static final RandomQuery.Table FLIGHTS = new RandomQuery.Table(
            List.of(
                    "carrier",
                    "origin",
                    "day(time_hour)",
                    "lower(origin)",
                    "hour(time_hour)",
                    "carrier || '/' || origin"),
            List.of("dep_delay", "arr_delay", "distance"),
            List.of("carrier", "origin", "dest"),
            List.of(
                    "dep_delay > 0",
                    "distance > 1000",
                    "carrier IN ('UA', 'AA')",
                    "dest LIKE 'S%'",
                    "arr_delay IS NULL"),
            "time_hour",
            false);

    @TempDir
    static Path directory;

    private static Connection duckDb;

    @BeforeAll
    static void fillTables() throws Exception {
        duckDb = DriverManager.getConnection("jdbc:duckdb:");
        Files.writeString(directory.resolve("random.csv"), randomRows());
        Files.writeString(directory.resolve("flights.csv"), flights());
        try (Statement statement = duckDb.createStatement()) {
            statement.execute("set TimeZone = 'UTC'");
            statement.execute("create table random as select * from read_csv('" + directory.resolve("random.csv")
                    + "', columns = {'a': 'BIGINT', 'b': 'BIGINT', 'x': 'DOUBLE', 'y': 'DOUBLE', 's': 'VARCHAR', 'u':"
                    + " 'VARCHAR', 'p': 'BOOLEAN', 't': 'TIMESTAMPTZ'})");
            statement.execute(
                    "create table flights as select * from read_csv('" + directory.resolve("flights.csv")
                            + "', types = {'time_hour': 'TIMESTAMPTZ', 'dep_delay': 'BIGINT', 'arr_delay': 'BIGINT', 'distance': 'BIGINT'})");
        }
    }

    @AfterAll
    static void close() throws SQLException {
        duckDb.close();
    }

    private static String randomRows() {
        Random random = new Random(7);
        String[] texts = {"a", "ab", "abc", "Ab", "b", "ü", "日本", "x y"};
        StringBuilder rows = new StringBuilder("a,b,x,y,s,u,p,t\n");
        for (int i = 0; i < ROWS; i++) {
            String[] values = {
                String.valueOf(random.nextInt(9) - 4),
                String.valueOf(random.nextInt(1_000) - 200),
                String.valueOf((random.nextInt(400) - 200) / 8.0),
                String.valueOf(random.nextInt(100) / 4.0 + 0.125),
                texts[random.nextInt(4)],
                texts[random.nextInt(texts.length)],
                String.valueOf(random.nextBoolean())
            };
            for (int j = 0; j < values.length; j++) {
                // The first rows have all values, so that types are guessed as they are.
                rows.append(i > 3 && random.nextInt(6) == 0 ? "" : values[j]).append(',');
            }
            rows.append(Instant.ofEpochSecond(1_767_225_600 + i * 1_013L)).append('\n');
        }
        return rows.toString();
    }

    private static String flights() throws Exception {
        try (InputStream in = Files.newInputStream(Path.of("../../examples/aggregate/flights.csv.gz"));
                GZIPInputStream plain = new GZIPInputStream(in)) {
            return new String(plain.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .limit(1_501)
                            .reduce((one, other) -> one + "\n" + other)
                            .orElseThrow()
                    + "\n";
        }
    }

    @Test
    void shouldAnswerAsDuckDbDoesOfRandomValues() throws Exception {
        compare("random", RANDOM);
    }

    @Test
    void shouldAnswerAsDuckDbDoesOfFlights() throws Exception {
        compare("flights", FLIGHTS);
    }

    private static void compare(String name, RandomQuery.Table table) throws Exception {
        Path file = directory.resolve(name + ".csv");
        byte[] records = Files.readString(file).replaceFirst("[^\n]*\n", "").getBytes(StandardCharsets.UTF_8);
        Random random = new Random(11);
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < QUERIES; i++) {
            RandomQuery.Both both = new RandomQuery(table, random).next();
            List<List<Object>> expected = asked(both.duckDb().replace("TABLE_NAME", name));
            List<List<Object>> answered = answered(both.updraft().replace("TABLE_FILE", file.toString()), records);
            if (!both.ordered()) {
                expected.sort(Comparator.comparing(SqlQueryOracleTest::rounded));
                answered.sort(Comparator.comparing(SqlQueryOracleTest::rounded));
            }
            boolean isOfNoRows = expected.equals(ofNoRows(expected)) && answered.isEmpty();
            if (!same(expected, answered) && !isOfNoRows) {
                differences.add(both.updraft() + "\n  " + expected + "\n  " + answered);
            }
        }
        assertThat(differences.stream().limit(SHOWN)).isEmpty();
    }

    /** Returns the one row that DuckDB has of no rows if there are no keys. Updraft has no group then. */
    private static List<List<Object>> ofNoRows(List<List<Object>> expected) {
        return expected.size() == 1 && Long.valueOf(0).equals(expected.get(0).get(0)) ? expected : null;
    }

    private static List<List<Object>> answered(String query, byte[] records) {
        try {
            PipelineSpec spec = SqlQuery.read(new SpecReader(Map.of()), "query", query, "query", null, List.of());
            return new QueryRun(spec).rows(records);
        } catch (SpecException | RuntimeException e) {
            throw new AssertionError(query, e);
        }
    }

    private static List<List<Object>> asked(String query) throws SQLException {
        List<List<Object>> rows = new ArrayList<>();
        try (Statement statement = duckDb.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<Object> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(plain(result.getObject(i)));
                }
                rows.add(row);
            }
        } catch (SQLException e) {
            throw new SQLException(query, e);
        }
        return rows;
    }

    private static Object plain(Object value) {
        if (value instanceof OffsetDateTime time) {
            return time.toInstant().toEpochMilli();
        }
        return value instanceof Number && !(value instanceof Double)
                ? new BigDecimal(value.toString()).longValueExact()
                : value;
    }

    private static String rounded(List<Object> row) {
        List<String> texts = new ArrayList<>();
        row.forEach(value -> texts.add(value instanceof Double number ? String.format("%.6e", number) : "" + value));
        return texts.toString();
    }

    private static boolean same(List<List<Object>> expected, List<List<Object>> answered) {
        if (expected.size() != answered.size()) {
            return false;
        }
        for (int i = 0; i < expected.size(); i++) {
            for (int j = 0; j < expected.get(i).size(); j++) {
                if (!same(expected.get(i).get(j), answered.get(i).get(j))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean same(Object expected, Object answered) {
        if (expected instanceof Double one && answered instanceof Number other) {
            double scale = Math.max(1, Math.max(Math.abs(one), Math.abs(other.doubleValue())));
            return one.equals(other) || Math.abs(one - other.doubleValue()) <= 1e-9 * scale;
        }
        return expected == null ? answered == null : expected.equals(answered);
    }
}
