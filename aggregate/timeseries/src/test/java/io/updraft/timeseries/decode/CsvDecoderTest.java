package io.updraft.timeseries.decode;

import static io.updraft.timeseries.record.FieldType.BOOLEAN;
import static io.updraft.timeseries.record.FieldType.DOUBLE;
import static io.updraft.timeseries.record.FieldType.LONG;
import static io.updraft.timeseries.record.FieldType.TEXT;
import static io.updraft.timeseries.record.FieldType.TIME;
import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.record.Chunk;
import io.updraft.timeseries.record.FieldType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CsvDecoderTest {

    private static final DecodeSpec ABN = DecodeSpec.csv(
            CsvFormat.STANDARD, DecodedColumn.of("a", TEXT), DecodedColumn.of("b", TEXT), DecodedColumn.of("n", LONG));

    @Test
    void shouldFindColumnsByTheHeader() {
        DecodedRows decoded = DecodedRows.lines(ABN, "\ufeffn,x,a,b\n1,,one,\r\n2,ignored,\"\",b b\n\n,,,é");

        assertThat(decoded.reasons).isEmpty();
        assertThat(decoded.rows)
                .containsExactly(asList("one", null, 1L), asList("", "b b", 2L), asList(null, "é", null));
        assertThat(decoded.positions).containsExactly(11L, 20L, 38L);
    }

    @Test
    void shouldReadQuotes() {
        DecodedRows decoded = DecodedRows.lines(
                ABN, "a,b,n\n\"x,\"\"y\"\"\",\"line 1\r\nline 2\",\"7\"\r\n\"\"\"\",\"\"\"\"\"\",1\n\"\",a,2");

        assertThat(decoded.reasons).isEmpty();
        assertThat(decoded.rows)
                .containsExactly(
                        asList("x,\"y\"", "line 1\r\nline 2", 7L), asList("\"", "\"\"", 1L), asList("", "a", 2L));
    }

    @Test
    void shouldSayOfEachRowWhichBytesItsRecordHas() {
        DecodedRows lines = DecodedRows.lines(ABN, "\ufeffa,b,n\n1,2,3\r\n\n\"x\r\ny\",,4\n5,6,7");
        assertThat(lines.records).containsExactly("1,2,3", "\"x\r\ny\",,4", "5,6,7");
        DecodeSpec named = DecodeSpec.csv(
                new CsvFormat(List.of("a", "b", "n"), ',', '"', ""),
                DecodedColumn.of("a", TEXT),
                DecodedColumn.of("b", TEXT),
                DecodedColumn.of("n", LONG));
        assertThat(DecodedRows.records(named, "1,2,3", "4,5,6\n", "7,8,9").records)
                .containsExactly("1,2,3", "4,5,6\n", "7,8,9");
    }

    @Test
    void shouldGoOnAfterWhatIsBad() {
        DecodedRows decoded = DecodedRows.lines(ABN, """
                a,b,n
                1,2
                1,2,3,4
                x"y,2,3
                "x"y,2,3
                ok,"two
                lines",x
                ok,ok,3
                "open,2,3
                ok,ok,4
                """);

        assertThat(decoded.rows).containsExactly(asList("ok", "ok", 3L), asList("ok", "ok", 4L));
        assertThat(decoded.reasons)
                .containsExactly(
                        "CSV with 2 columns instead of 3",
                        "CSV with 4 columns instead of 3",
                        "invalid CSV: a quote in a field that does not begin with one at byte 1",
                        "invalid CSV: text after the quote that ends a field at byte 3",
                        "column n: expected a whole number of 64 bits, found \"x\"",
                        "invalid CSV: no quote ends the field at byte 0");
        assertThat(decoded.badRecords).element(4).isEqualTo("ok,\"two\nlines\",x");
        assertThat(decoded.badRecords).element(5).isEqualTo("\"open,2,3");
    }

    @Test
    void shouldUseTheNamesDelimiterQuoteAndNullThatItIsTold() {
        CsvFormat format = new CsvFormat(List.of("a", "b", "n"), ';', '\'', "NA");
        DecodeSpec spec = DecodeSpec.csv(
                format,
                DecodedColumn.of("b", TEXT),
                DecodedColumn.of("x", DOUBLE, "n"),
                DecodedColumn.of("t", TIME, "a"));

        DecodedRows decoded = DecodedRows.lines(spec, "NA;'a;b';1.5\n2020-01-01;'NA';NA\n");

        assertThat(decoded.reasons).isEmpty();
        assertThat(decoded.rows).containsExactly(asList("a;b", 1.5, null), asList("NA", null, 1577836800000L));
    }

    @Test
    void shouldRefuseRecordsWithoutAColumnThatIsWanted() {
        DecodedRows decoded = DecodedRows.lines(ABN, "a,b\n1,2\n");

        assertThat(decoded.reasons).containsExactly("column n: CSV has no column n");
    }

    @Test
    void shouldKnowTheHeaderInTheMiddleOfAPartition() {
        byte[] header = "n,a,b\r\n".getBytes(StandardCharsets.UTF_8);
        byte[] lines = "1,x,y\n".getBytes(StandardCharsets.UTF_8);
        DecodedRows decoded = new DecodedRows();
        Decoder decoder = Decoder.create(ABN);

        decoder.decode(new Chunk("u", 500, lines, lines.length, header), decoded);
        decoder.decode(new Chunk("u", 506, lines, lines.length, header), decoded);
        decoder.decode(new Chunk("v", 506, lines, lines.length), decoded);

        assertThat(decoded.rows).containsExactly(asList("x", "y", 1L), asList("x", "y", 1L));
        assertThat(decoded.positions).containsExactly(500L, 506L);
        assertThat(decoded.reasons).containsExactly("the header of v is not known");
    }

    @Test
    void shouldRememberTheHeadersOfPartitions() {
        DecodedRows decoded = new DecodedRows();
        Decoder decoder = Decoder.create(ABN);

        decode(decoder, decoded, "u", 0, "n,a,b\n1,x,y\n");
        decode(decoder, decoded, "v", 0, "a,b,n\nx,y,2\n");
        decode(decoder, decoded, "u", 12, "3,x,y\n");
        decode(decoder, decoded, "v", 12, "x,y,4\n");

        assertThat(decoded.reasons).isEmpty();
        assertThat(decoded.rows)
                .containsExactly(
                        asList("x", "y", 1L), asList("x", "y", 2L), asList("x", "y", 3L), asList("x", "y", 4L));
    }

    private static void decode(Decoder decoder, DecodedRows decoded, String partition, long from, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        decoder.decode(new Chunk(partition, from, bytes, bytes.length), decoded);
    }

    @Test
    void shouldReadARecordPerMessage() {
        DecodeSpec spec = DecodeSpec.csv(
                new CsvFormat(List.of("a", "n"), ',', '"', ""),
                DecodedColumn.of("a", TEXT),
                DecodedColumn.of("n", LONG));

        DecodedRows decoded = DecodedRows.records(spec, "x,1", "y,2\r\n", "z,3\nz,4", "\"q\",5\n", "");

        assertThat(decoded.rows).containsExactly(asList("x", 1L), asList("y", 2L), asList("q", 5L));
        assertThat(decoded.times).containsExactly(1000L, 1001L, 1003L);
        assertThat(decoded.badPositions).containsExactly(102L, 104L);
    }

    /** Of one column it would be a row without a value; an empty line is no row either. */
    @Test
    void shouldRefuseAnEmptyMessage() {
        DecodeSpec spec = DecodeSpec.csv(new CsvFormat(List.of("a"), ',', '"', ""), DecodedColumn.of("a", TEXT));

        DecodedRows decoded = DecodedRows.records(spec, "x", "", "\"\"");

        assertThat(decoded.rows).hasSize(2);
        assertThat(decoded.badPositions).containsExactly(101L);
        assertThat(decoded.reasons).containsExactly("an empty record: a tombstone, or a value of no bytes");
    }

    @Test
    void shouldRefuseMalformedUtf8() {
        byte[] text = "a,b,n\nxx,yy,1\nok,ok,2\n".getBytes(StandardCharsets.UTF_8);
        text[9] = (byte) 0xc3;

        DecodedRows decoded = DecodedRows.lines(ABN, text);

        assertThat(decoded.reasons).containsExactly("malformed UTF-8 at byte 3");
        assertThat(decoded.rows).hasSize(1);
    }

    /** An exporter that quotes everything quotes what is missing too. Only a text can be there and be empty. */
    @Test
    void shouldTakeAnEmptyOrNullFieldOfOtherColumnsThanTextAsMissingInQuotesToo() {
        CsvFormat format = new CsvFormat(List.of("a", "n", "x", "b", "t"), ',', '"', "NA");
        DecodeSpec spec = DecodeSpec.csv(
                format,
                DecodedColumn.of("a", TEXT).or("none"),
                DecodedColumn.of("n", LONG).or("0"),
                DecodedColumn.of("x", DOUBLE),
                DecodedColumn.of("b", BOOLEAN),
                DecodedColumn.of("t", TIME));

        DecodedRows decoded = DecodedRows.lines(spec, """
                "","","","",""
                "NA","NA","NA","NA","NA"
                ,,,,
                NA,NA,NA,NA,NA
                "1","1","1","1","1970-01-01"
                """);

        assertThat(decoded.reasons).isEmpty();
        assertThat(decoded.rows)
                .containsExactly(
                        asList("", 0L, null, null, null),
                        asList("NA", 0L, null, null, null),
                        asList("", 0L, null, null, null),
                        asList("none", 0L, null, null, null),
                        asList("1", 1L, 1.0, 1L, 0L));
    }

    @Test
    void shouldRefuseAnEmptyQuotedFieldWhereAValueIsRequired() {
        DecodeSpec spec = DecodeSpec.csv(
                new CsvFormat(List.of("n"), ',', '"', ""),
                DecodedColumn.of("n", LONG).require());

        assertThat(DecodedRows.lines(spec, "\"\"\n").reasons)
                .containsExactly("column n: required, but there is no value");
    }

    @Test
    void shouldPassOverAnEmptyLineAtTheStartOfAChunk() {
        DecodeSpec spec = DecodeSpec.csv(
                CsvFormat.STANDARD, DecodedColumn.of("key", FieldType.TEXT), DecodedColumn.of("value", FieldType.LONG));
        Decoder decoder = Decoder.create(spec, List.of("key"), List.of("value"));
        byte[] header = "unread,key,value\n".getBytes(StandardCharsets.UTF_8);
        DecodedRows decoded = new DecodedRows();
        for (String text : List.of("x,a,1\nx,a,2\n", "\n,a,3\n\r\n,a,4\r\n")) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            decoder.decode(new Chunk("u", 1, bytes, bytes.length, header), decoded);
        }

        assertThat(decoded.reasons).isEmpty();
        assertThat(decoded.rows.stream().map(row -> row.get(1))).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void shouldRefuseEachRecordWhoseKeyIsMalformedUtf8() {
        DecodeSpec spec = DecodeSpec.csv(
                new CsvFormat(List.of("key", "value"), ',', '"', ""),
                DecodedColumn.of("key", TEXT),
                DecodedColumn.of("value", LONG));
        Decoder decoder = Decoder.create(spec, List.of("key"), List.of("value"));
        byte[] text = "kx,1\nkx,2\nkx,3\nok,4\nok,5\n".getBytes(StandardCharsets.UTF_8);
        text[1] = text[6] = text[11] = (byte) 0xc3;
        DecodedRows decoded = new DecodedRows();

        decoder.decode(new Chunk("u", 0, text, text.length), decoded);

        assertThat(decoded.badPositions).containsExactly(0L, 5L, 10L);
        assertThat(decoded.reasons).containsOnly("malformed UTF-8 at byte 1");
        assertThat(decoded.rows.stream().map(row -> row.get(1))).containsExactly(4L, 5L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {"- # -7-8", "- # 7--8", ". # 7.8.9", "5 # 75859", "# - -7#8", "# . 7.5#8"})
    void shouldTakeNoDelimiterOrQuoteForAPartOfANumber(char delimiter, char quote, String malformed) {
        DecodeSpec spec = DecodeSpec.csv(
                new CsvFormat(List.of("a", "b"), delimiter, quote, ""),
                DecodedColumn.of("a", DOUBLE),
                DecodedColumn.of("b", DOUBLE));
        String good = "6" + delimiter + "4\n";
        byte[] text = (good + (malformed + "\n").repeat(3) + good + "  ".repeat(8)).getBytes(StandardCharsets.UTF_8);
        DecodedRows decoded = new DecodedRows();

        Decoder.create(spec, List.of(), List.of()).decode(new Chunk("u", 0, text, text.length - 16), decoded);

        assertThat(decoded.badRecords).containsExactly(malformed, malformed, malformed);
        assertThat(decoded.rows).containsExactly(asList(6.0, 4.0), asList(6.0, 4.0));
    }
}
