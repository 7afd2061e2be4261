package io.updraft.pipeline.sink;

import static io.updraft.pipeline.connector.FlightResults.COLUMNS;
import static io.updraft.pipeline.connector.FlightResults.DIMENSIONS;
import static io.updraft.pipeline.connector.FlightResults.count;
import static io.updraft.pipeline.connector.FlightResults.hour;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.pipeline.connector.FlightResults;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.sink.ConsoleSinkOptions.Style;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.query.WindowResult.Emission;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConsoleSinkTest {

    @Test
    void shouldAlignColumnsAndSortGroups() throws Exception {
        Instant time = Instant.parse("2013-01-01T05:00:00Z");
        WindowResult result = hour(
                0,
                FlightResults.row("UA", 10, 7, 1.0 / 3, true, time, "N14228"),
                FlightResults.row("東京", 2, 12345678, 1e20, false, null, "tab\there"),
                FlightResults.row(null, null, 1, Double.NaN, null, time, null),
                FlightResults.row("UA", 9, 1, 2.0, false, time, "x"));
        assertThat(print(Style.TABLE, 40, result)).isEqualTo("""
                2013-01-01T05:00:00Z to 2013-01-01T06:00:00Z: 4 groups
                  carrier  flight         n         mean  cancelled             last_seen  last_tail
                  -             -         1          NaN          -  2013-01-01T05:00:00Z  -
                  UA            9         1            2      false  2013-01-01T05:00:00Z  x
                  UA           10         7  0.333333333       true  2013-01-01T05:00:00Z  N14228
                  東京          2  12345678        1E+20      false                     -  tab\\u0009here

                """);
    }

    @Test
    void shouldSayHowManyMoreThereAreAndWhichResultItIs() throws Exception {
        WindowResult big =
                FlightResults.many(0, 1000, i -> count("carrier", 999 - i, i)).as(Emission.UPDATE);
        List<String> lines = print(Style.TABLE, 3, big).lines().toList();
        assertThat(lines).hasSize(7);
        assertThat(lines.get(0)).endsWith(": 1000 groups, updated with late records");
        assertThat(lines.get(2)).startsWith("  carrier       0  999");
        assertThat(lines.get(4)).startsWith("  carrier       2  997");
        assertThat(lines.get(5)).isEqualTo("  ... and 997 more groups");
    }

    @Test
    void shouldLeaveOutAWindowOfWhichNoGroupIsSelected() throws Exception {
        assertThat(print(Style.TABLE, 3, hour(0))).isEmpty();
    }

    @Test
    void shouldPrintAllRowsForOtherPrograms() throws Exception {
        WindowResult result = hour(0, count("U\"A", 1, 2));
        assertThat(print(Style.TSV, 1, result))
                .isEqualTo("window_start\twindow_end\tcarrier\tflight\tn\tmean\tcancelled\tlast_seen\tlast_tail\n"
                        + "2013-01-01T05:00:00Z\t2013-01-01T06:00:00Z\t\"U\"\"A\"\t1\t2\t1.5\tfalse\t"
                        + "2013-01-01T05:00:00Z\tN1\n");
        assertThat(print(Style.JSON, 1, result))
                .isEqualTo("{\"window_start\":\"2013-01-01T05:00:00Z\",\"window_end\":\"2013-01-01T06:00:00Z\","
                        + "\"carrier\":\"U\\\"A\","
                        + "\"flight\":1,\"n\":2,\"mean\":1.5,\"cancelled\":false,\"last_seen\":\"2013-01-01T05:00:00Z\","
                        + "\"last_tail\":\"N1\"}\n");
    }

    @Test
    void shouldStopWhenNobodyReadsAnyMore() throws Exception {
        OutputStream gone = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        ConsoleSink sink = new ConsoleSink(ConsoleSinkOptions.table(), new PrintStream(gone));
        sink.open(COLUMNS, DIMENSIONS);
        assertThatThrownBy(() -> sink.write(hour(0, count("UA", 1, 1)), null))
                .isInstanceOfSatisfying(
                        SinkException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining("standard output");
    }

    private static String print(Style style, int maxRows, WindowResult result) throws SinkException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8);
        try (ResultSink sink = new ConsoleSink(new ConsoleSinkOptions(style, maxRows), out)) {
            sink.open(COLUMNS, DIMENSIONS);
            sink.write(result, null);
            assertThat(sink.flush(List.of())).isFalse();
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
