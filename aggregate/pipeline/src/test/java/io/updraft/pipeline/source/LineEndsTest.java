package io.updraft.pipeline.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.timeseries.decode.CsvFormat;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineEndsTest {

    private static final DecodeSpec CSV = csv("a", "b");
    private static final DecodeSpec JSON =
            DecodeSpec.json(DecodedColumn.of("a", FieldType.TEXT), DecodedColumn.of("b", FieldType.TEXT));

    private final List<String> rows = new ArrayList<>();
    private final List<String> bad = new ArrayList<>();
    private final List<Long> positions = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void shouldReadCarriageReturnsAlone(int atOnce) throws Exception {
        read(CSV, true, 0, atOnce, "\uFEFFa,b\r1,x\r\r2,\"y\rz\"\r\"3\n\",\"\"\"\r\"\r4,w");

        assertThat(rows).containsExactly("1,x", "2,y\rz", "3\n,\"\r", "4,w");
        assertThat(positions).containsExactly(7L, 12L, 20L, 31L);
        assertThat(bad).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void shouldReadAllLineEndsInAPartitionThatBeginsWithACarriageReturnAlone(int atOnce) throws Exception {
        read(CSV, true, 0, atOnce, "a,b\r1,x\r\n2,y\n3,z\r\r\n4,\"u\r\n\rv\"\r");

        assertThat(rows).containsExactly("1,x", "2,y", "3,z", "4,u\r\n\rv");
        assertThat(bad).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n"})
    void shouldKeepCarriageReturnsAsDataWhereTheFirstLineHasALineFeed(String end) throws Exception {
        String text = "a,b%s1,x\ry%s\"2\r\",z%s3,\rw%s".replace("%s", end);
        for (int atOnce : new int[] {1, 2, 5, 1000}) {
            rows.clear();
            read(CSV, true, 0, atOnce, text);
            assertThat(rows).containsExactly("1,x\ry", "2\r,z", "3,\rw");
        }
        assertThat(bad).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 1000})
    void shouldReadJsonLinesWithCarriageReturnsAlone(int atOnce) throws Exception {
        read(JSON, false, 0, atOnce, "{\"a\":\"1\\\"\",\"b\":\"x\"}\r\r{\"a\":2}\r\n{\"a\":3}\n{\"a\":4}\r");

        assertThat(rows).containsExactly("1\",x", "2,null", "3,null", "4,null");
        assertThat(bad).isEmpty();
    }

    @Test
    void shouldDecideByTheFirstLineWhereReadingContinues() throws Exception {
        read(CSV, true, 8, 1000, "2,y\r3,z\r");

        assertThat(rows).containsExactly("2,y", "3,z");
        assertThat(positions).containsExactly(8L, 12L);
    }

    @Test
    void shouldContinueAfterAnOpenQuoteAsInAFileOfLineFeeds() throws Exception {
        read(CSV, true, 0, 1000, "a,b\r1,x\r\"2,y\r3,z\r4,\"w\"\r");

        assertThat(rows).containsExactly("1,x", "3,z", "4,w");
        assertThat(bad).containsExactly("\"2,y");
    }

    @Test
    void shouldSkipALineThatIsTooLong() throws Exception {
        String tooLong = "x".repeat(ChunkReader.CHUNK + 10);

        read(CSV, true, 0, 100_000, "a,b\r1,x\r" + tooLong + "\r3,z\r\"" + tooLong + "\r4,w\r");
        assertThat(rows).containsExactly("1,x", "3,z", "4,w");
        assertThat(bad).hasSize(2);

        rows.clear();
        read(JSON, false, 0, 100_000, tooLong + "\r{\"a\":1}\r");
        assertThat(rows).containsExactly("1,null");
    }

    @Test
    void shouldReadAHeaderWithLineEndsDelimitersAndQuotesInQuotes() throws Exception {
        String header = "\"a\nb\",\"c,\"\"d\"\"\"";
        DecodeSpec spec = csv("a\nb", "c,\"d\"");
        for (String text : List.of(header + "\n1,x\n", header + "\r\n1,x\r\n", header + "\r1,x\r")) {
            rows.clear();
            read(spec, true, 0, 1000, text);
            assertThat(rows).containsExactly("1,x");
        }
        read(spec, true, 0, 1000, header);
        assertThat(rows).hasSize(1);
    }

    @Test
    void shouldNameAHeaderWhoseQuoteIsNotClosed() {
        assertThatThrownBy(() -> read(CSV, true, 0, 1000, "a,\"b\n1,2\n3,4\n"))
                .isInstanceOf(SourceException.class)
                .hasMessage(
                        "unit:1: the first line cannot name the columns: invalid CSV: no quote ends the field at byte 2");
    }

    @Test
    void shouldShowTheHeadWithLineFeeds() {
        assertThat(head("a;\"b\r\"\r1;2\r")).isEqualTo("a;\"b\r\"\n1;2\n");
        assertThat(head("{\"a\":\"\\\"\"}\r{}\r")).isEqualTo("{\"a\":\"\\\"\"}\n{}\n");
        assertThat(head("a,b\r\n1,\r\n")).isEqualTo("a,b\r\n1,\r\n");
        assertThat(head("\"a\rb\",c\n1,2\r")).isEqualTo("\"a\rb\",c\n1,2\r");
    }

    private static String head(String text) {
        return new String(LineEnds.ofHead(text.getBytes(UTF_8)), UTF_8);
    }

    private static DecodeSpec csv(String first, String second) {
        return DecodeSpec.csv(
                new CsvFormat(List.of(first, second), ',', '"', ""),
                DecodedColumn.of("a", FieldType.TEXT, first),
                DecodedColumn.of("b", FieldType.TEXT, second));
    }

    private void read(DecodeSpec spec, boolean header, long from, int atOnce, String text) throws Exception {
        byte[] bytes = text.getBytes(UTF_8);
        int[] at = new int[1];
        ChunkReader reader = LineFormat.of(spec, header, ChunkReader.CHUNK)
                .reader(
                        "unit",
                        from,
                        (into, to, most) -> {
                            int count = Math.min(Math.min(atOnce, most), bytes.length - at[0]);
                            System.arraycopy(bytes, at[0], into, to, count);
                            at[0] += count;
                            return count == 0 ? -1 : count;
                        },
                        () -> 1);
        Decoder decoder = Decoder.create(spec);
        for (SourceEvent event = reader.next(); event != null; event = reader.next()) {
            take(event, decoder);
        }
        SourceEvent last = reader.last();
        if (last != null) {
            take(last, decoder);
        }
        assertThat(reader.position()).isEqualTo(from + bytes.length);
    }

    private void take(SourceEvent event, Decoder decoder) {
        if (event instanceof RecordSource.Event.Rejected record) {
            bad.add(record.reason());
            return;
        }
        Chunk chunk = (Chunk) event;
        decoder.decode(chunk, new RowHandler() {
            @Override
            public void row(RecordRow row, long position, long time) {
                rows.add(row.value(0) + "," + row.value(1));
                positions.add(position);
            }

            @Override
            public void rejected(long position, byte[] in, int start, int length, String reason) {
                bad.add(new String(in, start, length, UTF_8));
            }
        });
    }
}
