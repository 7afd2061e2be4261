package io.updraft.pipeline.sink;

import static io.updraft.pipeline.connector.FlightResults.COLUMNS;
import static io.updraft.pipeline.connector.FlightResults.DIMENSIONS;
import static io.updraft.pipeline.connector.FlightResults.count;
import static io.updraft.pipeline.connector.FlightResults.hour;
import static io.updraft.pipeline.connector.FlightResults.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.pipeline.connector.FlightResults;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.text.ResultFormat;
import io.updraft.timeseries.query.WindowResult.Emission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files are read back by DuckDB, which knows nothing of how they were written. */
class FileSinksTest {

    private static final String READ = "SELECT carrier, flight, n, mean, cancelled, epoch_ms(last_seen), last_tail,"
            + " epoch_ms(window_start) = 1357016400000, epoch_ms(window_end - window_start) FROM %s ORDER BY n, flight";

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(ResultFormat.class)
    void shouldWriteWhatAnotherProgramReads(ResultFormat format) throws Exception {
        Path file = folder.resolve("20130101T050000Z.data");
        try (ResultSink sink = opened(format, "{window_start}.data", false)) {
            sink.write(hour(0, FlightResults.awkward()), null);
            assertThat(sink.flush(List.of(new PartitionPosition("a", 1, 1)))).isFalse();
        }
        assertThat(query(READ.formatted(reader(format, file))))
                .containsExactly(
                        "null|4|-9223372036854775808|-Infinity|true|1357016400123|null|true|3600000",
                        "quote \" comma , tab \t line\nfeed\rreturn \\ back|2|-3|NaN|false|1357016400123|';"
                                + " DROP TABLE x; --|true|3600000",
                        "|null|0|-0.0|false|1357016400123||true|3600000",
                        " spaces |5|1|1.0E-300|true|1357016400123| |true|3600000",
                        "null|null|1|null|null|null|null|true|3600000",
                        "UA|1|7|1.25|true|1357016400123|N14228|true|3600000",
                        "Zürich 東京 \ud83d\ude80 e\u0301|3|9223372036854775807|Infinity|null|null|\\N|true|3600000");
    }

    @ParameterizedTest
    @EnumSource(ResultFormat.class)
    void shouldWriteAllDigitsOfDecimals(ResultFormat format) throws Exception {
        Path file = folder.resolve("20130101T050000Z.data");
        try (ResultSink sink = new FileSinkOptions(format, folder + "/{window_start}.data", false).sink()) {
            sink.open(FlightResults.PRICES, 1);
            sink.write(
                    FlightResults.prices(row(-5, 999_999_999_999_999_999L), row(0, -150), row(250, null), row(null, 7)),
                    null);
            sink.flush(List.of());
        }
        if (format == ResultFormat.JSON) {
            // DuckDB reads the numbers of JSON as floating-point ones.
            assertThat(Files.readString(file))
                    .contains(
                            "\"step\":-0.05,\"price\":9999999999999999.99}",
                            "\"step\":0.00,\"price\":-1.50}",
                            "\"step\":2.50,\"price\":null}",
                            "\"step\":null,\"price\":0.07}");
            return;
        }
        String read = format == ResultFormat.PARQUET
                ? "read_parquet('" + file + "')"
                : "read_csv('" + file + "', all_varchar = true)";
        assertThat(query("SELECT step, price FROM " + read + " ORDER BY step::DOUBLE"))
                .containsExactly("-0.05|9999999999999999.99", "0.00|-1.50", "2.50|null", "null|0.07");
        if (format == ResultFormat.PARQUET) {
            assertThat(query("SELECT DISTINCT typeof(price) FROM " + read)).containsExactly("DECIMAL(18,2)");
        }
    }

    private static String reader(ResultFormat format, Path file) {
        String types =
                "{window_start: 'TIMESTAMPTZ', window_end: 'TIMESTAMPTZ', carrier: 'VARCHAR', flight: 'BIGINT', n: 'BIGINT',"
                        + " mean: 'DOUBLE', cancelled: 'BOOLEAN', last_seen: 'TIMESTAMPTZ', last_tail: 'VARCHAR'}";
        return switch (format) {
            case CSV ->
                "read_csv('" + file + "', header = true, allow_quoted_nulls = false, delim = ',', quote = '\"',"
                        + " escape = '\"', parallel = false, columns = " + types + ")";
            case JSON -> "read_json('" + file + "', format = 'newline_delimited', columns = " + types + ")";
            case PARQUET -> "read_parquet('" + file + "')";
        };
    }

    @Test
    void shouldNotLoadAnythingOfHadoopForParquet() throws Exception {
        try (ResultSink sink = opened(ResultFormat.PARQUET, "{window_start}.parquet", false)) {
            sink.write(hour(0, count("UA", 1, 1)), null);
            sink.flush(List.of());
        }
        assertThatThrownBy(() -> Class.forName("org.apache.hadoop.conf.Configuration"))
                .isInstanceOf(ClassNotFoundException.class);
    }

    @ParameterizedTest
    @EnumSource(ResultFormat.class)
    void shouldShowNothingBeforeTheFlushAndReplaceTheWholeFileWhenAWindowComesAgain(ResultFormat format)
            throws Exception {
        Path file = folder.resolve("deep/20130101T050000Z.data");
        try (ResultSink sink = opened(format, "deep/{window_start}.data", false)) {
            sink.write(hour(0, count("UA", 1, 1), count("AA", 1, 1)).as(Emission.EARLY), null);
            assertThat(file).doesNotExist();
            sink.flush(List.of());
            sink.write(hour(0, count("UA", 1, 2)), null);
            assertThat(query("SELECT sum(n) FROM " + reader(format, file))).containsExactly("2");
            sink.write(hour(0, count("UA", 1, 3)).as(Emission.UPDATE), null);
            sink.flush(List.of());
            assertThat(query("SELECT n FROM " + reader(format, file))).containsExactly("3");
            sink.write(hour(1, count("UA", 1, 4)), null);
        }
        assertThat(names(folder.resolve("deep"))).containsExactly("20130101T050000Z.data");
    }

    @Test
    void shouldGiveEachShareItsOwnFileOfAWindow() throws Exception {
        try (ResultSink sink = opened(ResultFormat.CSV, "w-{window_start}.csv", false)) {
            sink.write(hour(0, count("UA", 1, 1)), "flights-0");
            sink.write(hour(0, count("AA", 1, 1)), "in/flights 1");
            sink.flush(List.of());
        }
        assertThat(names(folder))
                .containsExactly("w-20130101T050000Z-flights-0.csv", "w-20130101T050000Z-in%2Fflights%201.csv");
    }

    @Test
    void shouldPutAllWindowsIntoOneFileAndCutOffWhatACrashHasLeft() throws Exception {
        Path file = folder.resolve("all.csv");
        SingleFileSink crashed = (SingleFileSink) opened(ResultFormat.CSV, "all.csv", false);
        assertThat(crashed.readCommits()).isEmpty();
        crashed.write(hour(0, count("UA", 1, 1)), null);
        PartitionPosition commit = new PartitionPosition(
                "in\nput", 10, 5, ProcessedRanges.NONE.handled(12, 20).closedUntil(5));
        assertThat(crashed.flush(List.of(commit)))
                .as("kept where the source keeps its own")
                .isFalse();
        crashed.write(hour(1, count("UA", 1, 2)), null);
        Path copy = Files.createDirectory(folder.resolve("after"));
        Files.copy(file, copy.resolve("all.csv"));
        Files.copy(folder.resolve(".all.csv.commit"), copy.resolve(".all.csv.commit"));
        Files.writeString(copy.resolve("all.csv"), "2013-01-01T0", java.nio.file.StandardOpenOption.APPEND);
        crashed.close();

        try (SingleFileSink next = (SingleFileSink) opened(ResultFormat.CSV, "after/all.csv", false)) {
            assertThat(next.readCommits()).containsOnlyKeys("in\nput").containsValue(commit);
            next.write(hour(1, count("UA", 1, 2)), null);
            next.flush(List.of(new PartitionPosition("other", 3, 3)));
            assertThat(next.readCommits()).containsOnlyKeys("in\nput", "other");
        }
        assertThat(Files.readAllLines(copy.resolve("all.csv")))
                .containsExactly(
                        "window_start,window_end,carrier,flight,n,mean,cancelled,last_seen,last_tail",
                        "2013-01-01T05:00:00Z,2013-01-01T06:00:00Z,UA,1,1,1.5,false,2013-01-01T05:00:00Z,N1",
                        "2013-01-01T06:00:00Z,2013-01-01T07:00:00Z,UA,1,2,1.5,false,2013-01-01T05:00:00Z,N1");
    }

    @Test
    void shouldBeginAnewWhereThatIsAskedFor() throws Exception {
        Files.writeString(folder.resolve("all.json"), "old\n");
        try (ResultSink sink = opened(ResultFormat.JSON, "all.json", true)) {
            sink.write(hour(0, count("UA", 1, 1)), null);
            assertThat(sink.flush(List.of(new PartitionPosition("a", 1, 1)))).isFalse();
        }
        assertThat(Files.readAllLines(folder.resolve("all.json"))).hasSize(1).noneMatch("old"::equals);
    }

    @Test
    void shouldRefuseToGoOnWithWhatItDidNotWrite() throws Exception {
        Files.writeString(folder.resolve("mine.csv"), "precious\n");
        assertThatThrownBy(() -> opened(ResultFormat.CSV, "mine.csv", false))
                .isInstanceOfSatisfying(
                        SinkException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining("cannot append to " + folder.resolve("mine.csv"));
        assertThat(Files.readString(folder.resolve("mine.csv"))).isEqualTo("precious\n");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLeaveAFileAloneThatAnotherSinkWrites(boolean anew) throws Exception {
        Path file = folder.resolve("shared.csv");
        try (ResultSink first = opened(ResultFormat.CSV, "shared.csv", anew)) {
            first.write(hour(0, count("UA", 1, 1)), null);
            first.flush(List.of());
            byte[] before = Files.readAllBytes(file);
            try (ResultSink second = new FileSinkOptions(ResultFormat.CSV, file.toString(), anew).sink()) {
                assertThatThrownBy(() -> second.open(COLUMNS, DIMENSIONS))
                        .hasMessageContaining("another process or sink is writing it");
            }
            assertThat(file).hasBinaryContent(before);
            first.write(hour(1, count("UA", 1, 2)), null);
            first.flush(List.of());
        }
        assertThat(Files.readAllLines(file)).hasSize(3);
    }

    @Test
    void shouldSayThatAFileWasCutWhileItIsWritten() throws Exception {
        try (ResultSink sink = opened(ResultFormat.CSV, "cut.csv", false)) {
            sink.write(hour(0, count("UA", 1, 1)), null);
            sink.flush(List.of());
            Files.write(folder.resolve("cut.csv"), new byte[0]);
            assertThatThrownBy(() -> sink.write(hour(1, count("UA", 1, 2)), null))
                    .isInstanceOfSatisfying(
                            SinkException.class,
                            e -> assertThat(e.isTransient()).isFalse())
                    .hasMessageContaining("it has 0 bytes", "another program has cut it");
        }
    }

    @Test
    void shouldGoOnInANewFileWhenTheOneBeforeWasMovedAway() throws Exception {
        try (ResultSink sink = opened(ResultFormat.CSV, "all.csv", false)) {
            sink.write(hour(0, count("UA", 1, 1)), null);
            sink.flush(List.of(new PartitionPosition("a", 10, 5)));
        }
        Files.move(folder.resolve("all.csv"), folder.resolve("before.csv"));
        try (SingleFileSink sink = (SingleFileSink) opened(ResultFormat.CSV, "all.csv", false)) {
            assertThat(sink.readCommits()).containsOnlyKeys("a").containsValue(new PartitionPosition("a", 10, 5));
            sink.write(hour(1, count("UA", 1, 2)), null);
            sink.flush(List.of(new PartitionPosition("a", 20, 6)));
        }
        assertThat(Files.readAllLines(folder.resolve("all.csv"))).hasSize(2);
    }

    @Test
    void shouldSayThatADeviceIsNoFile() {
        assertThatThrownBy(() -> new FileSinkOptions(ResultFormat.CSV, "/dev/null", true)
                        .sink()
                        .open(COLUMNS, DIMENSIONS))
                .isInstanceOfSatisfying(
                        SinkException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining("cannot write /dev/null: not a regular file");
    }

    @ParameterizedTest
    @EnumSource(ResultFormat.class)
    void shouldSayThatTheFolderIsNone(ResultFormat format) throws Exception {
        Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> opened(format, "file/{window_start}.x", false))
                .isInstanceOfSatisfying(
                        SinkException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining("cannot write " + folder.resolve("file"))
                .hasMessageNotContaining("\n");
    }

    @Test
    void shouldSayWhatIsWrongWithAPath() {
        assertThatThrownBy(() -> new FileSinkOptions(ResultFormat.CSV, "out/{hour}.csv", false))
                .hasMessageContaining("{hour} is unknown");
        assertThatThrownBy(() -> new FileSinkOptions(ResultFormat.PARQUET, "all.parquet", false))
                .hasMessageContaining("with {window_start} in the name");
        assertThatThrownBy(() -> new FileSinkOptions(ResultFormat.CSV, "out/", false))
                .hasMessageContaining("the file name is missing");
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(ResultFormat.class)
    void shouldWriteAMillionRows(ResultFormat format) throws Exception {
        try (ResultSink sink = opened(format, "{window_start}.data", false)) {
            sink.write(FlightResults.many(0, 1_000_000, i -> count("carrier " + i % 1000, i, i)), null);
            sink.flush(List.of());
        }
        String read = reader(format, folder.resolve("20130101T050000Z.data"));
        assertThat(query("SELECT count(*), sum(n), count(DISTINCT carrier) FROM " + read))
                .containsExactly("1000000|499999500000|1000");
    }

    private ResultSink opened(ResultFormat format, String name, boolean anew) throws SinkException {
        ResultSink sink = new FileSinkOptions(format, folder + "/" + name, anew).sink();
        sink.open(COLUMNS, DIMENSIONS);
        return sink;
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static List<String> query(String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckdb.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                StringBuilder text = new StringBuilder();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    text.append(i > 1 ? "|" : "").append(row.getObject(i));
                }
                rows.add(text.toString());
            }
        }
        return rows;
    }
}
