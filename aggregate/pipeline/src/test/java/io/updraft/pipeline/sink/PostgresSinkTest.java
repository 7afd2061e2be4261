package io.updraft.pipeline.sink;

import static io.updraft.pipeline.connector.FlightResults.COLUMNS;
import static io.updraft.pipeline.connector.FlightResults.DIMENSIONS;
import static io.updraft.pipeline.connector.FlightResults.count;
import static io.updraft.pipeline.connector.FlightResults.hour;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.updraft.pipeline.connector.FlightResults;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.servers.PostgresServer;
import io.updraft.timeseries.query.WindowResult.Emission;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class PostgresSinkTest extends PostgresFixture {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @BeforeEach
    void dropTables() throws SQLException {
        execute("DROP TABLE IF EXISTS totals, updraft_positions, \"to\"\"tals; x\"");
    }

    @Test
    void shouldKeepEveryKindOfValue() throws Exception {
        try (ResultSink sink = opened(options("totals"))) {
            sink.write(hour(0, FlightResults.awkward()), null);
            sink.flush(List.of());
        }
        assertThat(rows("SELECT carrier, flight, n, mean, cancelled, extract(epoch from last_seen) * 1000, last_tail"
                        + " FROM totals ORDER BY n, flight"))
                .containsExactly(
                        "null|4|-9223372036854775808|-Infinity|t|1357016400123.000000|null",
                        "quote \" comma , tab \t line\nfeed\rreturn \\ back|2|-3|NaN|f|1357016400123.000000|'; DROP TABLE x; --",
                        "|null|0|-0|f|1357016400123.000000|",
                        " spaces |5|1|1e-300|t|1357016400123.000000| ",
                        "null|null|1|null|null|null|null",
                        "UA|1|7|1.25|t|1357016400123.000000|N14228",
                        "Zürich 東京 \ud83d\ude80 e\u0301|3|9223372036854775807|Infinity|null|null|\\N");
        assertThat(rows("SELECT DISTINCT window_start AT TIME ZONE 'UTC', window_end - window_start FROM totals"))
                .containsExactly("2013-01-01 05:00:00|01:00:00");
    }

    @Test
    void shouldKeepAllDigitsOfDecimals() throws Exception {
        Object[][] rows = {FlightResults.row(-5, 999_999_999_999_999_999L), FlightResults.row(null, 7)};
        try (ResultSink sink = options("totals").sink()) {
            sink.open(FlightResults.PRICES, 1);
            sink.write(FlightResults.prices(rows), null);
            sink.flush(List.of());
        }
        assertThat(rows("SELECT step, price FROM totals ORDER BY step"))
                .containsExactly("-0.05|9999999999999999.99", "null|0.07");
        assertThat(rows("SELECT format_type(atttypid, atttypmod) FROM pg_attribute"
                        + " WHERE attrelid = 'totals'::regclass AND attname = 'price'"))
                .containsExactly("numeric(18,2)");

        execute("ALTER TABLE totals ALTER step TYPE float8");
        assertThatThrownBy(() -> options("totals").sink().open(FlightResults.PRICES, 1))
                .hasMessageContaining("column step is of type float8, not numeric(18, 2)");
    }

    @Test
    void shouldReplaceTheRowsOfAWindowThatIsWrittenAgain() throws Exception {
        try (ResultSink sink = opened(options("totals"))) {
            sink.write(hour(0, count("UA", 1, 1), count(null, 2, 2)).as(Emission.EARLY), null);
            sink.flush(List.of());
            sink.write(hour(0, count("UA", 1, 10), count(null, 2, 20)), null);
            sink.write(hour(0, count("UA", 1, 11), count(null, 2, 21)).as(Emission.UPDATE), null);
            sink.write(hour(1, count("UA", 1, 5)), null);
            sink.flush(List.of());
        }
        assertThat(rows("SELECT carrier, n FROM totals ORDER BY n")).containsExactly("UA|5", "UA|11", "null|21");
    }

    @Test
    void shouldKeepSharesOfTheSameWindowBesideEachOther() throws Exception {
        try (ResultSink sink = opened(options("totals"))) {
            sink.write(hour(0, count("UA", 1, 1)), "flights-0");
            sink.write(hour(0, count("AA", 1, 2)), "flights-1");
            sink.flush(List.of());
        }
        assertThat(rows("SELECT carrier, n FROM totals ORDER BY n")).containsExactly("UA|1", "AA|2");
    }

    private static final PartitionPosition A = new PartitionPosition(
            "a", 100, 5, ProcessedRanges.NONE.handled(101, 200).closedUntil(5));

    /** Older versions did not keep which rows were seen. */
    @Test
    void shouldGoOnWithATableOfPositionsOfAnOlderVersion() throws Exception {
        execute("CREATE TABLE updraft_positions (pipeline text NOT NULL, unit text NOT NULL,"
                + " position bigint NOT NULL, closed_until bigint NOT NULL, PRIMARY KEY (pipeline, unit))");
        execute("INSERT INTO updraft_positions VALUES ('" + options("totals").pipeline()
                + "', 'a', 7, 9223372036854775807), ('" + options("totals").pipeline() + "', 'b', 8, 5)");
        try (PostgresSink sink = opened(options("totals"))) {
            assertThat(sink.readCommits())
                    .containsEntry("a", new PartitionPosition("a", 7, Long.MIN_VALUE))
                    .containsEntry("b", new PartitionPosition("b", 8, 5));
            assertThat(sink.flush(List.of(A))).isFalse();
            assertThat(sink.readCommits()).containsEntry("a", A);
        }
    }

    @Test
    void shouldCommitResultsAndPositionsTogetherAndShowNothingBefore() throws Exception {
        try (PostgresSink sink = opened(options("totals"))) {
            assertThat(sink.readCommits()).isEmpty();
            sink.write(hour(0, count("UA", 1, 1)), "a");
            assertThat(rows("SELECT * FROM totals")).isEmpty();
            assertThat(sink.flush(List.of(A, new PartitionPosition("b", 7, Long.MIN_VALUE))))
                    .isFalse();
            sink.write(hour(1, count("UA", 1, 1)), "a");
        }
        try (PostgresSink again = opened(options("totals"))) {
            assertThat(again.readCommits())
                    .containsOnlyKeys("a", "b")
                    .containsEntry("a", A)
                    .containsEntry("b", new PartitionPosition("b", 7, Long.MIN_VALUE));
        }
        assertThat(rows("SELECT count(*) FROM totals")).containsExactly("1");
    }

    @Test
    void shouldStopAProcessWhoseShareAnotherHasTakenFurther() throws Exception {
        try (PostgresSink stale = opened(options("totals"));
                PostgresSink owner = opened(options("totals"))) {
            owner.flush(List.of(new PartitionPosition("a", 200, 0)));
            stale.write(hour(0, count("UA", 1, 1)), "a");
            assertThatThrownBy(() -> stale.flush(List.of(new PartitionPosition("a", 150, 0))))
                    .isInstanceOfSatisfying(
                            SinkException.class,
                            e -> assertThat(e.isTransient()).isFalse())
                    .hasMessageContaining("another process has written positions of pipeline");
        }
        assertThat(rows("SELECT * FROM totals")).isEmpty();
    }

    @Test
    void shouldStopTheEarlierOfTwoProcessesThatReadSharesOfTheirOwn() throws Exception {
        try (PostgresSink first = opened(options("totals"))) {
            first.flush(List.of(new PartitionPosition("a", 200, 0)));
            try (PostgresSink second = opened(options("totals"))) {
                first.flush(List.of(new PartitionPosition("a", 300, 0)));
                second.flush(List.of(new PartitionPosition("a#2", 10, 0)));
                assertThatThrownBy(() -> first.flush(List.of(new PartitionPosition("a", 400, 0))))
                        .hasMessageContaining("another process has written positions of pipeline");
                second.flush(List.of(new PartitionPosition("a#2", 20, 0)));
            }
        }
        assertThat(rows("SELECT unit, position FROM updraft_positions ORDER BY unit"))
                .containsExactly("a|300", "a#2|20");
    }

    @Test
    void shouldKeepFingerprintsAndNameADamagedRow() throws Exception {
        PartitionPosition marked = new PartitionPosition("a", 5, 0, ProcessedRanges.NONE, null, "1:2:3:4:5");
        try (PostgresSink sink = opened(options("totals"))) {
            sink.flush(List.of(marked));
            assertThat(sink.readCommits()).containsEntry("a", marked);
        }
        execute("UPDATE updraft_positions SET seen = 'w;1-x'");
        assertThatThrownBy(() -> opened(options("totals")))
                .isInstanceOf(SinkException.class)
                .hasMessageContaining("and partition a is damaged: 'seen' is w;1-x");
    }

    @Test
    void shouldLetARunStartOver() throws Exception {
        try (PostgresSink first = opened(options("totals"))) {
            first.flush(List.of(new PartitionPosition("a", 200, 7)));
        }
        try (PostgresSink anew = opened(options("totals"))) {
            anew.flush(List.of(new PartitionPosition("a", 50, 3)));
            anew.flush(List.of(new PartitionPosition("a", 60, 4)));
            assertThat(anew.readCommits()).containsEntry("a", new PartitionPosition("a", 60, 4));
        }
    }

    @Test
    void shouldLoseNothingWhenTheServerIsKilledBetweenWritesAndFlush() throws Exception {
        try (PostgresSink sink = opened(options("totals"))) {
            sink.write(hour(0, count("UA", 1, 1)), null);
            sink.flush(List.of(new PartitionPosition("a", 1, 0)));
            sink.write(hour(1, count("UA", 1, 2)), null);
            postgres.kill();
            sink.write(hour(2, count("UA", 1, 3)), null);
            SinkException away = catchThrowableOfType(
                    SinkException.class, () -> sink.flush(List.of(new PartitionPosition("a", 3, 0))));
            assertThat(away.isTransient()).isTrue();
            SinkException still =
                    catchThrowableOfType(SinkException.class, () -> sink.write(hour(1, count("UA", 1, 2)), null));
            assertThat(still.isTransient()).isTrue();
            assertThat(still).hasMessageContaining("127.0.0.1");
            postgres.startAgain();
            sink.write(hour(1, count("UA", 1, 2)), null);
            sink.write(hour(2, count("UA", 1, 3)), null);
            assertThat(sink.flush(List.of(new PartitionPosition("a", 3, 0)))).isFalse();
            assertThat(sink.readCommits()).containsEntry("a", new PartitionPosition("a", 3, 0));
        }
        assertThat(rows("SELECT n FROM totals ORDER BY n")).containsExactly("1", "2", "3");
    }

    /** The server is killed at any moment, again and again; who writes does as {@link ResultSink} says, and nothing else. */
    @Tag("slow")
    @Test
    void shouldWriteEachResultOnceHoweverOftenTheServerIsKilled() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread killer = new Thread(() -> {
            Random random = new Random(1);
            for (int i = 0; i < 4 && !done.get(); i++) {
                LockSupport.parkNanos(random.nextLong(200_000_000));
                postgres.kill();
                postgres.startAgain();
            }
        });
        int flushes = 60;
        try (PostgresSink sink = opened(options("totals"))) {
            killer.start();
            for (int i = 0; i < flushes; i++) {
                write(sink, i);
            }
        } finally {
            done.set(true);
            killer.join();
        }
        assertThat(rows("SELECT count(*), sum(n), count(DISTINCT window_start) FROM totals"))
                .containsExactly(flushes * 2_000 + "|" + flushes * 2_000 + "|" + flushes * 2);
        assertThat(rows("SELECT position FROM updraft_positions")).containsExactly("" + (flushes - 1));
    }

    private static void write(ResultSink sink, int number) throws SinkException {
        boolean flushed = false;
        while (!flushed) {
            try {
                for (int hour = 2 * number; hour < 2 * number + 2; hour++) {
                    writeOne(sink, hour);
                }
                sink.flush(List.of(new PartitionPosition("a", number, 0)));
                flushed = true;
            } catch (SinkException e) {
                assertThat(e.isTransient()).as(e.getMessage()).isTrue();
            }
        }
    }

    /** A failure that passes is the same result once more. */
    private static void writeOne(ResultSink sink, int hour) throws SinkException {
        while (true) {
            try {
                sink.write(FlightResults.many(hour, 1_000, i -> count("UA", i, 1)), null);
                return;
            } catch (SinkException e) {
                assertThat(e.isTransient()).as(e.getMessage()).isTrue();
                LockSupport.parkNanos(10_000_000);
            }
        }
    }

    @Test
    void shouldSayThatThePasswordIsWrongWithoutSayingIt() {
        PostgresSinkOptions wrong =
                new PostgresSinkOptions(postgres.url(), PostgresServer.USER, "not-this", "totals", true, null, TIMEOUT);
        assertThatThrownBy(() -> wrong.sink().open(COLUMNS, DIMENSIONS))
                .isInstanceOfSatisfying(
                        SinkException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining("password authentication failed for user \"updraft\"")
                .hasMessageNotContaining("not-this");
        assertThat(wrong.toString()).doesNotContain("not-this");
    }

    @Test
    void shouldNameAllThatIsWrongWithATableInOneMessage() throws SQLException {
        execute(
                "CREATE TABLE totals (window_start timestamptz, window_end date, carrier text, n int, must text NOT NULL,"
                        + " mean float8, cancelled bool, last_seen timestamptz, last_tail varchar(100))");
        assertThatThrownBy(() -> opened(noCreate()))
                .isInstanceOfSatisfying(
                        SinkException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining("column window_end is of type date, not timestamptz")
                .hasMessageContaining("column flight (bigint) is missing")
                .hasMessageContaining("column n is of type int4, not bigint")
                .hasMessageContaining("column must must not be null, but the results have no such column")
                .hasMessageNotContaining("column carrier")
                .hasMessageNotContaining("\n");
    }

    @Test
    void shouldSayHowToMakeTheKeyThatIsMissing() throws Exception {
        execute(
                "CREATE TABLE totals (window_start timestamptz, window_end timestamptz, carrier text, flight int8, n int8,"
                        + " mean float8, cancelled bool, last_seen timestamptz, last_tail text, UNIQUE (window_start, carrier))");
        SinkException missing = catchThrowableOfType(SinkException.class, () -> opened(noCreate()));
        assertThat(missing).hasMessageContaining("it needs a unique key");
        execute(missing.getMessage().replaceAll(".*(ALTER TABLE .*?); before.*", "$1"));
        opened(noCreate()).close();
    }

    @Test
    void shouldSayThatATableIsMissing() {
        assertThatThrownBy(() -> opened(noCreate()))
                .isInstanceOfSatisfying(
                        SinkException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining("table totals")
                .hasMessageContaining("there is no such table");
    }

    @Test
    void shouldQuoteNames() throws Exception {
        try (ResultSink sink = opened(options("to\"tals; x"))) {
            sink.write(hour(0, count("UA", 1, 1)), null);
            sink.flush(List.of());
        }
        assertThat(rows("SELECT n FROM \"to\"\"tals; x\"")).containsExactly("1");
    }

    @Tag("slow")
    @Test
    @Tag("long")
    void shouldWriteAMillionRowsInOneTransaction() throws Exception {
        try (ResultSink sink = opened(options("totals"))) {
            sink.write(FlightResults.many(0, 1_000_000, i -> count("carrier " + i % 1000, i, i)), null);
            sink.flush(List.of());
        }
        assertThat(rows("SELECT count(*), sum(n), count(DISTINCT carrier) FROM totals"))
                .containsExactly("1000000|499999500000|1000");
    }

    private static PostgresSinkOptions options(String table) {
        return new PostgresSinkOptions(
                postgres.url(), PostgresServer.USER, PostgresServer.PASSWORD, table, true, "flights", TIMEOUT);
    }

    private static PostgresSinkOptions noCreate() {
        return new PostgresSinkOptions(
                postgres.url(), PostgresServer.USER, PostgresServer.PASSWORD, "totals", false, null, TIMEOUT);
    }
}
