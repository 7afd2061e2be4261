package io.updraft.timeseries.decode;

import static io.updraft.timeseries.record.FieldType.LONG;
import static io.updraft.timeseries.record.FieldType.TEXT;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.record.ByteColumn;
import io.updraft.base.record.Chunk;
import io.updraft.timeseries.record.FieldType;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class AttributeColumnsTest {

    private static final DecodedColumn FILE = column("file", TEXT, RecordAttribute.Kind.FILE);
    private static final DecodedColumn LINE = column("line", LONG, RecordAttribute.Kind.LINE);

    private static DecodedColumn column(String name, FieldType type, RecordAttribute.Kind kind) {
        return DecodedColumn.from(name, type, new RecordAttribute(kind));
    }

    private static Chunk lines(long firstLine, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        return new Chunk("/logs/ü", 0, bytes, bytes.length, firstLine);
    }

    private static DecodedRows decode(DecodeSpec spec, Chunk... chunks) {
        return decode(Decoder.create(spec), chunks);
    }

    private static DecodedRows decode(Decoder decoder, Chunk... chunks) {
        DecodedRows rows = new DecodedRows();
        for (Chunk chunk : chunks) {
            decoder.decode(chunk, rows);
        }
        return rows;
    }

    @Test
    void shouldNumberTheLinesOfCsv() {
        DecodeSpec spec =
                DecodeSpec.csv(new CsvFormat(List.of("a", "b"), ',', '"', ""), LINE, DecodedColumn.of("a", LONG), FILE);

        DecodedRows rows =
                decode(spec, lines(10, "1,x\n\n2,\"y\ny\"\r\n3\n4,z\n"), lines(1, "5,x\nx,x\n"), lines(0, "6,x\n"));

        assertThat(rows.rows)
                .containsExactly(
                        asList(10L, 1L, "/logs/ü"),
                        asList(12L, 2L, "/logs/ü"),
                        asList(15L, 4L, "/logs/ü"),
                        asList(1L, 5L, "/logs/ü"),
                        asList(null, 6L, "/logs/ü"));
        assertThat(rows.reasons).hasSize(2);
    }

    @Test
    void shouldNumberTheLinesOfJsonAndGiveThemToEachElement() {
        String text = "{\"legs\":[1,2]}\n \n{\"legs\":[3]}\n{\n{\"legs\":[]}\n{\"legs\":[4]}";

        DecodedRows exploded =
                decode(DecodeSpec.exploding("legs", LINE, DecodedColumn.of("n", LONG, "@")), lines(7, text));

        assertThat(exploded.rows).containsExactly(asList(7L, 1L), asList(7L, 2L), asList(9L, 3L), asList(12L, 4L));
        assertThat(exploded.reasons).hasSize(1);
        DecodedRows plain =
                decode(DecodeSpec.json(LINE).deriving("next", "line + 1").keeping("line > 7"), lines(7, text));
        assertThat(plain.rows).containsExactly(asList(9L, 10L), asList(11L, 12L), asList(12L, 13L));
    }

    /** Blocks and key texts of the other columns must not hide an attribute. */
    @Test
    void shouldFillColumnsOfRowsThatAreAggregated() {
        for (Set<String> keys : List.of(Set.of("k"), Set.of("k", "file"), Set.of("line"))) {
            for (DecodeSpec spec : List.of(
                    DecodeSpec.json(DecodedColumn.of("k", TEXT), DecodedColumn.of("n", LONG), LINE, FILE),
                    DecodeSpec.csv(
                            new CsvFormat(List.of("k", "n"), ',', '"', ""),
                            DecodedColumn.of("k", TEXT),
                            DecodedColumn.of("n", LONG),
                            LINE,
                            FILE))) {
                String record = spec.format() == DecodeSpec.Format.CSV ? "key,5\n" : "{\"k\":\"key\",\"n\":5}\n";
                DecodedRows rows = decode(Decoder.create(spec, keys, Set.of("n", "line")), lines(1, record.repeat(50)));

                assertThat(rows.rows).hasSize(50);
                for (int i = 0; i < 50; i++) {
                    assertThat(rows.rows.get(i).subList(1, 4)).isEqualTo(List.of(5L, i + 1L, "/logs/ü"));
                }
            }
        }
    }

    /** Records of a topic, each with a key and the header {@code h}, which may be null. */
    private static final class TopicChunk extends Chunk {

        private final ByteColumn keys;
        private final ByteColumn headers;

        TopicChunk(List<String> values, List<String> keys, List<String> headers) {
            super(
                    "t-3",
                    100,
                    100 + values.size(),
                    column(values).bytes(),
                    column(values).bytes().length,
                    column(values).ends(),
                    LongStream.range(100, 100 + values.size()).toArray(),
                    LongStream.range(-1, values.size() - 1).toArray());
            this.keys = column(keys);
            this.headers = column(headers);
        }

        private static ByteColumn column(List<String> texts) {
            int length = texts.stream()
                    .mapToInt(text -> text == null ? 0 : text.getBytes(ISO_8859_1).length)
                    .sum();
            ByteColumn column = new ByteColumn(texts.size(), length);
            for (int i = 0; i < texts.size(); i++) {
                column.set(
                        i,
                        texts.get(i) == null
                                ? null
                                : ByteBuffer.wrap(texts.get(i).getBytes(ISO_8859_1)));
            }
            return column;
        }

        @Override
        public ByteColumn keys() {
            return keys;
        }

        @Override
        public ByteColumn headers(String name) {
            return name.equals("h") ? headers : null;
        }

        @Override
        public String topic() {
            return "t";
        }

        @Override
        public int partitionIndex() {
            return 3;
        }
    }

    private static DecodedColumn header(String name, FieldType type) {
        return DecodedColumn.from(name, type, new RecordAttribute(RecordAttribute.Kind.HEADER, name));
    }

    @Test
    void shouldReadWhatKafkaKnows() {
        DecodedColumn[] columns = {
            DecodedColumn.of("n", LONG),
            header("h", TEXT),
            header("other", TEXT).or("none"),
            column("key", LONG, RecordAttribute.Kind.KEY),
            column("part", LONG, RecordAttribute.Kind.PARTITION),
            column("offset", LONG, RecordAttribute.Kind.OFFSET),
            column("topic", TEXT, RecordAttribute.Kind.TOPIC),
            column("sent", FieldType.TIME, RecordAttribute.Kind.TIMESTAMP)
        };
        List<List<Object>> expected = List.of(
                asList(1L, "a", "none", 7L, 3L, 100L, "t", null),
                asList(2L, null, "none", null, 3L, 101L, "t", 0L),
                asList(3L, "", "none", 9L, 3L, 102L, "t", 1L));
        List<String> keys = asList("7", null, "9");
        List<String> headers = asList("a", null, "");

        DecodedRows json = decode(
                DecodeSpec.json(columns),
                new TopicChunk(List.of("{\"n\":1}", "{\"n\":2}", "{\"n\":3}"), keys, headers));
        DecodedRows csv = decode(
                DecodeSpec.csv(new CsvFormat(List.of("n"), ',', '"', ""), columns),
                new TopicChunk(List.of("1", "2", "3"), keys, headers));

        assertThat(json.rows).isEqualTo(expected);
        assertThat(csv.rows).isEqualTo(expected);
    }

    @Test
    void shouldConvertKeysAndHeadersToAnyType() {
        DecodeSpec spec = DecodeSpec.exploding(
                "e",
                DecodedColumn.of("n", LONG, "@"),
                header("h", FieldType.DOUBLE).written(NumberForm.parse(",", ".")),
                column("key", FieldType.TIME, RecordAttribute.Kind.KEY));

        DecodedRows rows = decode(
                spec,
                new TopicChunk(
                        List.of("{\"e\":[1,2]}", "{\"e\":[3]}"),
                        List.of("1970-01-01T00:00:01Z", "1970-01-01T00:00:02Z"),
                        List.of("1.234,5", "2,5")));

        assertThat(rows.rows)
                .containsExactly(asList(1L, 1234.5, 1000L), asList(2L, 1234.5, 1000L), asList(3L, 2.5, 2000L));
    }

    @Test
    void shouldRejectARecordWhoseKeyOrHeaderCannotBeConverted() {
        DecodeSpec spec = DecodeSpec.json(
                DecodedColumn.of("n", LONG),
                header("h", TEXT),
                column("user", LONG, RecordAttribute.Kind.KEY).require());

        DecodedRows rows = decode(
                spec,
                new TopicChunk(
                        List.of("{\"n\":1}", "{\"n\":2}", "{\"n\":3}", "{\"n\":4}"),
                        asList("x1", "2", null, "4"),
                        List.of("a", "b\u00ff", "c", "d")));

        assertThat(rows.rows).containsExactly(asList(4L, "d", 4L));
        assertThat(rows.reasons)
                .containsExactly(
                        "column user: expected a whole number of 64 bits, found \"x1\"",
                        "column h: expected text, found malformed UTF-8 at byte 1",
                        "column user: required, but there is no value at key");
        assertThat(rows.badPositions).containsExactly(100L, 101L, 102L);
        assertThat(rows.badRecords).containsExactly("{\"n\":1}", "{\"n\":2}", "{\"n\":3}");
    }

    @Test
    void shouldReadAttributesAsTheyAreWritten() {
        List<RecordAttribute.Kind> all = List.of(RecordAttribute.Kind.values());
        for (String text : List.of("header a b", "key", "partition", "offset", "topic", "timestamp", "file", "line")) {
            assertThat(RecordAttribute.parse(text, all)).hasToString(text);
        }
        assertThat(RecordAttribute.parse(" header   x ", all).header()).isEqualTo("x");
        assertThatThrownBy(() -> new RecordAttribute(RecordAttribute.Kind.HEADER))
                .hasMessageContaining("needs a name");
        assertThatThrownBy(() -> RecordAttribute.parse("headers", all))
                .hasMessage(
                        "'headers' is not known of the records of this source; possible: header NAME, key, partition,"
                                + " offset, topic, timestamp, file, line");
    }

    @Test
    void shouldTreatAMissingAttributeAsAMissingValue() {
        DecodedColumn n = DecodedColumn.of("n", LONG);
        Chunk unnumbered = lines(0, "{\"n\":1}");

        assertThat(decode(DecodeSpec.json(n, LINE.or("-1")), unnumbered).rows).containsExactly(asList(1L, -1L));
        assertThat(decode(DecodeSpec.json(n, LINE.require()), unnumbered).reasons)
                .containsExactly("column line: required, but there is no value");
        assertThat(decode(DecodeSpec.json(n, FILE.none("/logs/ü")), unnumbered).rows)
                .containsExactly(asList(1L, null));
    }

    @Test
    void shouldRefuseOtherTypesAndPaths() {
        assertThatThrownBy(() -> column("l", TEXT, RecordAttribute.Kind.LINE))
                .hasMessage("column l from line must be of type long, not text");
        assertThatThrownBy(() -> RecordAttribute.parse("file", List.of(RecordAttribute.Kind.LINE)))
                .hasMessage("'file' is not known of the records of this source; possible: line");
        assertThatThrownBy(() -> RecordAttribute.parse("line", List.of()))
                .hasMessage("'line' is not known of the records of this source; they have only their content");
    }
}
