package io.updraft.pipeline.sink;

import static io.updraft.pipeline.connector.FlightResults.COLUMNS;
import static io.updraft.pipeline.connector.FlightResults.FIVE;
import static io.updraft.pipeline.connector.FlightResults.count;
import static io.updraft.pipeline.connector.FlightResults.hour;
import static io.updraft.pipeline.connector.FlightResults.many;
import static io.updraft.pipeline.connector.FlightResults.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RefusedRow;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.servers.PostgresServer;
import io.updraft.timeseries.query.WindowResult;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What PostgreSQL refuses of a result, when its other rows fit. */
@Tag("one-jdk")
class PostgresRefusalsTest extends PostgresFixture {

    private static final String TABLE =
            "CREATE TABLE totals (window_start timestamptz NOT NULL, window_end timestamptz NOT"
                    + " NULL, carrier %s, flight %s, n %s, mean %s, cancelled boolean, last_seen timestamptz, last_tail text %s,"
                    + " UNIQUE NULLS NOT DISTINCT (window_start, window_end, carrier, flight))";

    @BeforeEach
    void dropTables() throws SQLException {
        execute("DROP TABLE IF EXISTS totals, carriers, updraft_positions");
    }

    @Test
    void shouldRefuseAGroupThatIsTooLargeForTheIndex() throws Exception {
        table("text", "bigint", "bigint", "float8", "");
        assertThat(refused(hour(0, count("UA", 1, 1), count(random(6_000), 2, 2), count("AA", 3, 3))))
                .singleElement()
                .satisfies(row -> assertThat(row.row()).isEqualTo(1))
                .satisfies(row -> assertThat(row.reason()).contains("index"));
        assertThat(rows("SELECT carrier FROM totals ORDER BY n")).containsExactly("UA", "AA");
    }

    @Test
    void shouldRefuseNulWhichWouldMakeTwoGroupsOne() throws Exception {
        table("text", "bigint", "bigint", "float8", "");
        assertThat(refused(hour(0, count("a\0b", 1, 1), count("a\u2400b", 1, 2))))
                .containsExactly(new RefusedRow(0, 0, "carrier: text of PostgreSQL cannot contain the character NUL"));
        assertThat(rows("SELECT carrier, n FROM totals")).containsExactly("a\u2400b|2");
    }

    @Test
    void shouldRefuseTextThatIsNotUtf8() throws Exception {
        table("text", "bigint", "bigint", "float8", "");
        byte[] surrogate = {(byte) 0xED, (byte) 0xA0, (byte) 0x80};
        Object[] bad = row(surrogate, 1L, 1L, 1.5, false, Instant.ofEpochMilli(FIVE), "N1");
        assertThat(refused(hour(0, bad, count("UA", 1, 1)))).singleElement().satisfies(row -> {
            assertThat(row.row()).isZero();
            assertThat(row.reason()).contains("UTF8");
        });
        assertThat(rows("SELECT carrier FROM totals")).containsExactly("UA");
    }

    @Test
    void shouldRefuseTextThatAColumnWouldCutOrTrim() throws Exception {
        for (String type : List.of("character(3)", "character varying(3)")) {
            dropTables();
            table(type, "bigint", "bigint", "float8", "");
            assertThat(refused(
                            hour(0, count("UA", 1, 1), count("long", 1, 2), count("abc ", 1, 3), count("abc", 1, 4))))
                    .extracting(RefusedRow::row, RefusedRow::reason)
                    .containsExactly(
                            tuple(1L, "carrier: the value does not fit into a column of type " + type),
                            tuple(2L, "carrier: the value does not fit into a column of type " + type));
            assertThat(rows("SELECT n FROM totals ORDER BY n")).containsExactly("1", "4");
        }
    }

    @Test
    void shouldRefuseNumbersOutOfTheRangeOfTheirColumn() throws Exception {
        table("text", "numeric(4,0)", "numeric(5,2)", "numeric(5,2)", "");
        assertThat(refused(hour(
                        0,
                        count("ok", 9999, 999),
                        count("flight", 10_000, 1),
                        count("n", 1, 1000),
                        mean("mean", 999.995),
                        mean("infinite", Double.NEGATIVE_INFINITY),
                        mean("nan", Double.NaN),
                        mean("rounded", 1.239))))
                .extracting(RefusedRow::row, row -> row.reason().replaceAll(":.* into", ""))
                .containsExactly(
                        tuple(1L, "flight a column of type numeric(4,0)"),
                        tuple(2L, "n a column of type numeric(5,2)"),
                        tuple(3L, "mean a column of type numeric(5,2)"),
                        tuple(4L, "mean a column of type numeric(5,2)"));
        assertThat(rows("SELECT carrier, mean FROM totals ORDER BY carrier"))
                .containsExactly("nan|NaN", "ok|1.50", "rounded|1.24");
    }

    @Test
    void shouldRefuseTimesOutOfRange() throws Exception {
        table("text", "bigint", "bigint", "float8", "");
        Object[] late = row("late", 1L, 1L, 1.5, false, Instant.parse("+300000-01-01T00:00:00Z"), "N1");
        assertThat(refused(hour(0, late, count("UA", 1, 1)))).singleElement().satisfies(row -> {
            assertThat(row.row()).isZero();
            assertThat(row.reason()).startsWith("last_seen: ");
        });
        assertThat(rows("SELECT carrier FROM totals")).containsExactly("UA");
    }

    @Test
    void shouldRefuseGroupsThatViolateConstraints() throws Exception {
        execute("CREATE TABLE carriers (code text PRIMARY KEY)", "INSERT INTO carriers VALUES ('UA'), ('AA'), ('DL')");
        table(
                "text REFERENCES carriers DEFERRABLE INITIALLY DEFERRED",
                "bigint NOT NULL",
                "bigint CHECK (n > 0)",
                "float8 UNIQUE",
                "");
        assertThat(refused(hour(
                        0,
                        mean("UA", 1),
                        count("AA", 1, 0),
                        mean("AA", 1),
                        mean("XX", 2),
                        row("DL", null, 1L, 3.0, null, null, null),
                        mean("DL", 4))))
                .extracting(RefusedRow::row)
                .containsExactly(1L, 2L, 3L, 4L);
        assertThat(rows("SELECT carrier, mean FROM totals ORDER BY mean")).containsExactly("UA|1", "DL|4");
    }

    @Test
    void shouldFindRefusedRowsInAnyResultAndCommitThePositionsWithTheOthers() throws Exception {
        table("text", "bigint", "bigint CHECK (n % 997 <> 500)", "float8", "");
        WindowResult first = many(0, 5_000, i -> count("UA", i, i));
        WindowResult second = many(1, 1_000, i -> count("UA", i, i));
        try (PostgresSink sink = opened()) {
            sink.write(first, "a");
            sink.write(second, "a");
            SinkException refusal = catchThrowableOfType(
                    SinkException.class, () -> sink.flush(List.of(new PartitionPosition("a", 9, 5))));
            assertThat(refusal.isTransient()).isFalse();
            assertThat(refusal.refusedRows())
                    .extracting(RefusedRow::result, RefusedRow::row)
                    .containsExactly(
                            tuple(0, 500L),
                            tuple(0, 1497L),
                            tuple(0, 2494L),
                            tuple(0, 3491L),
                            tuple(0, 4488L),
                            tuple(1, 500L));
            assertThat(rows("SELECT n FROM totals")).isEmpty();
            assertThat(sink.readCommits()).isEmpty();
            sink.write(hour(0, count("UA", 1, 1)), "a");
            sink.flush(List.of(new PartitionPosition("a", 9, 5)));
            assertThat(sink.readCommits()).containsKey("a");
        }
        assertThat(rows("SELECT n FROM totals")).containsExactly("1");
    }

    @Tag("slow")
    @Test
    void shouldNotLookAtEachRowWhereNoneIsTaken() throws Exception {
        table("text", "bigint", "bigint CHECK (n < 0)", "float8", "");
        assertThat(refusedOnce(many(0, 100_000, i -> count("UA", i, i)))).hasSize(RefusedRow.MANY);
    }

    @Test
    void shouldNameAKeyInWhichDifferentTextsAreEqual() throws Exception {
        execute("CREATE COLLATION IF NOT EXISTS caseless (provider = icu, locale = 'und-u-ks-level2',"
                + " deterministic = false)");
        table("text COLLATE caseless", "bigint", "bigint", "float8", "");
        assertThatThrownBy(PostgresRefusalsTest::opened)
                .isInstanceOf(SinkException.class)
                .hasMessageContaining("column carrier has a nondeterministic collation");
    }

    private static Object[] mean(String carrier, double mean) {
        return row(carrier, 1L, 1L, mean, null, null, null);
    }

    private static String random(int length) {
        StringBuilder text = new StringBuilder();
        new Random(1).ints(length, 'a', 'z').forEach(c -> text.append((char) c));
        return text.toString();
    }

    /** Writes a result, and again without the rows that are refused; returns these. */
    private static List<RefusedRow> refused(WindowResult result) throws SinkException {
        List<RefusedRow> refused = refusedOnce(result);
        List<Object[]> others = new ArrayList<>();
        long[] next = {0};
        result.forEach(row -> {
            long number = next[0]++;
            if (refused.stream().noneMatch(each -> each.row() == number)) {
                others.add(IntStream.range(0, COLUMNS.fields().size())
                        .mapToObj(row::value)
                        .toArray());
            }
        });
        try (ResultSink sink = opened()) {
            sink.write(hour(0, others.toArray(Object[][]::new)), null);
            sink.flush(List.of());
        }
        return refused;
    }

    private static List<RefusedRow> refusedOnce(WindowResult result) throws SinkException {
        try (ResultSink sink = opened()) {
            sink.write(result, null);
            return catchThrowableOfType(SinkException.class, () -> sink.flush(List.of()))
                    .refusedRows();
        }
    }

    private static void table(String carrier, String flight, String n, String mean, String tail) throws SQLException {
        execute(TABLE.formatted(carrier, flight, n, mean, tail));
    }

    private static PostgresSink opened() throws SinkException {
        return opened(new PostgresSinkOptions(
                postgres.url(),
                PostgresServer.USER,
                PostgresServer.PASSWORD,
                "totals",
                false,
                "pipe",
                Duration.ofSeconds(30)));
    }
}
