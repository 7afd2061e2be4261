package io.updraft.pipeline.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.updraft.base.record.Chunk;
import io.updraft.storm.yaml.Mistakes.Mistake;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.NumberForm;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is guessed from the first records is what the decoder accepts, and it changes no value. */
final class GuessTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {"log.level", "@timestamp", "@type", "@key", "$schema", "a b", "a-b", "über", "a[0]", "", "a''b"})
    void shouldGroupByAMemberOfAnyName(String name) throws Exception {
        String records = "{\"" + name.replace("''", "'") + "\":\"INFO\",\"n\":1}\n";
        String aggregate = "aggregate: {group_by: ['" + name + "'], measures: {s: sum(n)}}";

        assertThat(rows(json(records), aggregate)).containsExactly("[INFO, 1]");
        assertThat(rows(json(records), "aggregate: {measures: {n: count()}}")).containsExactly("[]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Duration (s)", "a b", "log.level", "a,b", "@key", "von", "tägl", " padded"})
    void shouldUseACsvColumnOfAnyNameInGroupsMeasuresAndFilters(String name) throws Exception {
        String records = "\uFEFFid,\"" + name + "\",id\n1,5,x\n2,7,y\n";

        assertThat(rows(csv(records), "aggregate: {group_by: ['" + name + "'], measures: {n: count()}}"))
                .containsExactly("[5]", "[7]");
        assertThat(rows(csv(records), """
                aggregate: {measures: {s: 'sum(`%s`)'}}
                flatten: {infer: true, filter: '`%s` > 6'}
                """.formatted(name.strip(), name)))
                .singleElement()
                .asString()
                .contains("7");
        assertThat(rows(csv(records), "aggregate: {measures: {n: count()}}")).hasSize(2);
    }

    @Test
    void shouldRefuseAColumnThatCsvHasTwice() throws Exception {
        assertThat(mistakes(csv("id,v,id\n1,2,3\n"), "aggregate: {group_by: id, measures: {n: count()}}"))
                .singleElement()
                .asString()
                .contains("column id of CSV comes twice");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"v\":NaN}",
                "{\"v\":\"n/a\"}",
                "{\"v\":{}}",
                "{v:1}",
                "  {\"v\": 3}",
                "\\",
                "[1]",
            })
    void shouldGuessThroughRecordsThatCannotBeUsed(String odd) throws Exception {
        String records = "\uFEFF {\"v\":1.5}\n".repeat(1) + "{\"v\":2.5}\n" + odd + "\n";

        assertThat(column(json(records), "aggregate: {measures: {s: sum(v)}}", "v")
                        .type())
                .isEqualTo(FieldType.DOUBLE);
    }

    @Test
    void shouldGuessThroughALineOfCsvThatCannotBeUsed() throws Exception {
        String records = "size,v\n5\" long,1\nx,2\ny,oops\n";

        assertThat(column(csv(records), "aggregate: {measures: {s: sum(v)}}", "v")
                        .type())
                .isEqualTo(FieldType.LONG);
    }

    @Test
    void shouldKeepTheTextOfDimensions() throws Exception {
        String group = "aggregate: {group_by: v, measures: {n: count(), d: distinct(w), s: sum(x)}}";

        assertThat(rows(csv("v,w,x\n01234,1,NA\n1234,01,5\n1234.0,1,6\n+1234,1,7\nNA,1,8\n"), group))
                .containsExactly("[01234, 1, null]", "[1234, 01, 5]", "[1234.0, 1, 6]", "[+1234, 1, 7]", "[NA, 1, 8]");
        assertThat(rows(
                        json("{\"v\":1234,\"x\":1}\n"
                                + "{\"v\":\"1234\"}\n"
                                + "{\"v\":1234.0}\n"
                                + "{\"v\":true}\n"
                                + "{\"v\":12345678901234567890}\n"),
                        "aggregate: {group_by: v, measures: {n: count()}}"))
                .containsExactly("[1234]", "[1234]", "[1234.0]", "[true]", "[12345678901234567890]");
    }

    @Test
    void shouldTakeANullTextOnlyInColumnsOfNumbers() throws Exception {
        String records = "country,a,b\nNA,NA,null\nNA,1,2\nDE,3,4\n";
        String aggregate = "aggregate: {group_by: country, measures: {a: sum(a), b: max(b)}}";

        assertThat(rows(csv(records), aggregate)).containsExactly("[NA, null, null]", "[NA, 1, 2]", "[DE, 3, 4]");
        PipelineSpec again =
                new SpecReader(Map.of()).read("again", SpecWriter.write(read(csv(records), aggregate)), "x");
        assertThat(again.decode()).isEqualTo(read(csv(records), aggregate).decode());
    }

    @Test
    void shouldTakeTheNullTextOfAColumnAlsoIfItsTypeIsDeclared() throws Exception {
        String records = "k,a,t\nNA,NA,NA\nx,1,2024-01-01\n";
        String rest =
                "flatten: {fields: {k: text, a: double, t: time}}\naggregate: {group_by: k, measures: {s: sum(a)}}\n";

        assertThat(rows(csv(records), rest)).containsExactly("[NA, null, null]", "[x, 1.0, 1704067200000]");
        assertThat(rows(csv(records), rest + "format: {type: csv, null: x}"))
                .containsExactly("column a: expected a number, found \"NA\"", "[null, 1.0, 1704067200000]");
    }

    @Test
    void shouldGuessWholeNumbersOnlyIfTheWholeInputIsKnownOrTheyAreLarge() throws Exception {
        String many = "v,w\n" + "1,9007199254740993\n".repeat(10_000) + "2.5,1\n";
        String aggregate = "aggregate: {measures: {s: sum(v), t: sum(w)}}";

        assertThat(column(csv("v,w\n1,2\n"), aggregate, "v").type()).isEqualTo(FieldType.LONG);
        assertThat(column(csv(many), aggregate, "v").type()).isEqualTo(FieldType.DOUBLE);
        assertThat(column(csv(many), aggregate, "w").type()).isEqualTo(FieldType.LONG);
        csv("v,w\n1,2\n");
        Files.writeString(directory.resolve("b.csv"), "v,w\n2.5,2\n");
        assertThat(column("{file: '%s/*.csv'}".formatted(directory), aggregate, "v")
                        .type())
                .isEqualTo(FieldType.DOUBLE);
    }

    @Test
    void shouldKeepCodesWithLeadingZerosAsTextOutsideOfSums() throws Exception {
        String records = "v\n0123\n1234\n";

        assertThat(column(csv(records), "aggregate: {measures: {s: last(v)}}", "v")
                        .type())
                .isEqualTo(FieldType.TEXT);
        assertThat(column(csv(records), "aggregate: {measures: {s: sum(v)}}", "v")
                        .type())
                .isEqualTo(FieldType.LONG);
    }

    @Test
    void shouldTellHowToCompareADimensionWithANumber() throws Exception {
        String records = "status\n404\n500\n";
        String aggregate = "aggregate: {group_by: status, measures: {n: count()}}\n";

        assertThat(mistakes(
                        csv(records),
                        aggregate + "flatten: {infer: true, filter: status >= 500 or lower(status) == 'x'}"))
                .singleElement()
                .asString()
                .contains(
                        "takes values of one type, not text and a number",
                        "state the type of status in 'flatten: fields'");
        assertThat(rows(
                        csv(records),
                        aggregate + "flatten: {infer: true, fields: {status: long}, filter: status >= 500}"))
                .containsExactly("[500]");
    }

    @Test
    void shouldCompareADimensionAsANumberAndGroupByItsText() throws Exception {
        String aggregate = "aggregate: {group_by: [status, m], measures: {n: count()}}\n";
        String records = "status,m\n404,GET\n0500,PUT\n500.0,GET\n503,PUT\n";

        assertThat(rows(
                        csv("status,m\n404,GET\n500.0,GET\n503,PUT\n"),
                        aggregate + "flatten: {filter: 'status >= 500 and m in (\"GET\", \"PUT\")'}"))
                .containsExactly("[500.0, GET, 500.0]", "[503, PUT, 503.0]");
        assertThat(rows(csv(records), aggregate + "flatten: {filter: 'status == \"0500\"'}"))
                .containsExactly("[0500, PUT]");
        assertThat(rows(csv(records), aggregate + "flatten: {filter: 'm != \"GET\"', derive: {x: upper(status)}}"))
                .containsExactly("[0500, PUT]", "[503, PUT]");
        assertThat(rows(
                        json("{\"a.b\":1,\"m\":2}\n{\"a\":{\"b\":\"1.0\"}}\n{\"a.b\":\"x\"}\n{\"a.b\":0}\n"),
                        "aggregate: {group_by: a.b, measures: {n: count()}}\n"
                                + "flatten: {derive: {x: a.b / 2}, filter: x > 0}"))
                .containsExactly("[1, 1.0]", "[1.0, 1.0]", "column a.b as number: expected a number, found \"x\"");
    }

    @Test
    void shouldCompareADimensionAsATimeOrTakeItAsABoolean() throws Exception {
        String records =
                "t,ok\n2026-01-01 10:00:00 +0100,true\n2026-01-01 10:00:00 +0000,true\n2026-01-02 00:00:00Z,false\n";

        assertThat(rows(csv(records), """
            aggregate: {group_by: [t, ok], measures: {n: count()}}
            flatten: {filter: 'ok and t >= "2026-01-01T10:00:00Z"'}
            """)).containsExactly("[2026-01-01 10:00:00 +0000, true, 1, 1767261600000]");
    }

    @Test
    void shouldSumADimensionAndWriteTheSameDescription() throws Exception {
        String records = "hour\n01\n1\n";
        String aggregate = "aggregate: {group_by: hour, measures: {s: sum(hour), m: avg(hour)}}\n"
                + "flatten: {filter: hour < 24}\n";
        PipelineSpec spec = read(csv(records.replace("01", "1.0")), aggregate);
        PipelineSpec again = new SpecReader(Map.of()).read("again", SpecWriter.write(spec), "x");

        assertThat(spec.aggregate().groupBy()).containsExactly("hour");
        assertThat(spec.aggregate().measures()).extracting(Measure::field).containsOnly("hour as number");
        assertThat(again.decode()).isEqualTo(spec.decode());
        assertThat(again.aggregate()).isEqualTo(spec.aggregate());
        assertThat(mistakes(csv("hour\nx\n"), aggregate)).isNotEmpty();
    }

    @Test
    void shouldTellThatALongIsGuessedWhereAValueIsNone() throws Exception {
        String records = "v\n" + "9007199254740993\n".repeat(10_000) + "0.5\n";

        assertThat(rows(csv(records), "aggregate: {measures: {s: sum(v)}}"))
                .endsWith("column v: expected a whole number of 64 bits, found \"0.5\"; guessed long; write --types"
                        + " v:double, or v: double in 'flatten: fields'");
        assertThat(rows(csv(records), "flatten: {fields: {v: long}}\naggregate: {measures: {s: sum(v)}}"))
                .endsWith("column v: expected a whole number of 64 bits, found \"0.5\"");
    }

    @Test
    void shouldGuessFieldsOfExplodedElements() throws Exception {
        String records = """
            {"order.id":1,"order.items":[{"sku.code":"a","net":1.5}]}
            {"order":{"id":2,"items":[{"sku":{"code":"b"},"net":2}]}}
            """;

        assertThat(rows(json(records), """
            flatten: {explode: order.items, filter: '`@.net` > 1'}
            aggregate: {group_by: [order.id, '@.sku.code'], measures: {s: sum(@.net)}}
            """)).containsExactlyInAnyOrder("[1, a, 1.5]", "[2, b, 2.0]");
    }

    @ParameterizedTest
    @CsvSource({
        "950000000.95456123352050781250,950000000954",
        "950000000954,950000000954",
        "950000000954561,950000000954"
    })
    void shouldTakeAStatedTimeAsSecondsOrPartsOfThem(String time, long millis) throws Exception {
        assertThat(rows(
                        json("{\"t\":" + time + ",\"v\":1}\n"),
                        "time: {field: t}\naggregate: {measures: {s: sum(v)}, every: 1d}"))
                .containsExactly("[1, " + millis + "]");
    }

    @Test
    void shouldOfferOnlyFieldsOfTheRecords() throws Exception {
        assertThat(mistakes(csv("a,b\n1,2\n"), "aggregate: {group_by: carrier, measures: {n: count()}}"))
                .singleElement()
                .asString()
                .isEqualTo("there is no field 'carrier'; there is a, b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"2024-05-01 12:34:56 +0200", "2024-05-01", "2024-05-01T12:34Z", "2024-05-01 12:34:56,123 -03"})
    void shouldGuessOnlyTimesThatTheDecoderAccepts(String time) throws Exception {
        String records = "when;v\n" + time + ";1\nNA;2\n";
        String aggregate = "format: {type: csv, delimiter: ';'}\naggregate: {measures: {n: count()}, every: 1h}";

        assertThat(read(csv(records), aggregate).time().field()).isEqualTo("when");
        assertThat(rows(csv(records), aggregate)).hasSize(2);
        assertThat(mistakes(csv(records.replace("-01", "-32")), aggregate))
                .singleElement()
                .asString()
                .contains("no field looks like a time");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            1,5 2,25 7        | DOUBLE | , |
            1.234,5 7,5 1.000 | DOUBLE | , | .
            1'234,56 7,5      | DOUBLE | , | '
            NA 1,5            | DOUBLE | , |
            1.234,567         | DOUBLE | , | .
            1,234 5,678       | TEXT   |   |
            1,5 1.5           | TEXT   |   |
            1,5 x             | TEXT   |   |
            1.234 5.678       | DOUBLE |   |
            1.5 7             | DOUBLE |   |
            """)
    void shouldGuessADecimalComma(String values, FieldType type, String decimal, String thousands) throws Exception {
        String source = csv("v;k\n" + values.replace(" ", ";a\n") + ";a\n");
        String rest = "format: {type: csv, delimiter: ';'}\n"
                + "flatten: {derive: ['w = coalesce(v, null)'], infer: true}\naggregate: {group_by: k, measures: {n: count()}}";

        DecodedColumn column = column(source, rest, "v");

        assertThat(column.type()).isEqualTo(type);
        assertThat(column.numbers()).isEqualTo(NumberForm.parse(decimal, thousands));
        PipelineSpec spec = read(source, rest);
        PipelineSpec again = new SpecReader(Map.of()).read("test.yaml", SpecWriter.write(spec), "test");
        assertThat(again.decode().columns().stream().map(DecodedColumn::numbers))
                .isEqualTo(spec.decode().columns().stream()
                        .map(DecodedColumn::numbers)
                        .toList());
    }

    @Test
    void shouldNotGuessADecimalCommaWhereCommasSeparate() throws Exception {
        String source = csv("v,k\n\"1,5\",a\n\"2,5\",b\n");
        String rest = "flatten: {derive: ['w = length(v)'], infer: true}\n"
                + "aggregate: {group_by: k, measures: {n: sum(w)}}";

        assertThat(column(source, rest, "v").type()).isEqualTo(FieldType.TEXT);
    }

    @Test
    void shouldReadAWholeFileWithDecimalCommas() throws Exception {
        String source = csv("k;v\na;1.234,5\nb;0,25\n");
        String rest = "format: {type: csv, delimiter: ';'}\naggregate: {group_by: k, measures: {s: sum(v)}}";

        assertThat(rows(source, rest)).containsExactly("[a, 1234.5]", "[b, 0.25]");
    }

    private String json(String records) throws Exception {
        return "{file: %s}".formatted(Files.writeString(directory.resolve("in.json"), records));
    }

    private String csv(String records) throws Exception {
        return "{file: %s}".formatted(Files.writeString(directory.resolve("in.csv"), records));
    }

    private static PipelineSpec read(String source, String rest) throws SpecException {
        return new SpecReader(Map.of()).read("test.yaml", "source: " + source + "\n" + rest + "\n", "test");
    }

    private static DecodedColumn column(String source, String rest, String name) throws SpecException {
        return read(source, rest).decode().columns().stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> mistakes(String source, String rest) {
        SpecException e = catchThrowableOfType(SpecException.class, () -> read(source, rest));
        assertThat(e).as("no mistake found").isNotNull();
        return e.mistakes().stream().map(Mistake::message).toList();
    }

    /** Returns the columns of each row that a pipeline decodes from its file. */
    private List<String> rows(String source, String rest) throws Exception {
        PipelineSpec spec = read(source, rest);
        String text = Files.readString(Path.of(source.substring(7, source.length() - 1)));
        byte[] bytes =
                (source.contains(".csv") ? text.replaceFirst("[^\n]*\n", "") : text).getBytes(StandardCharsets.UTF_8);
        List<String> rows = new ArrayList<>();
        Decoder.create(spec.decode()).decode(new Chunk("u", 0, bytes, bytes.length), new RowHandler() {
            @Override
            public void row(RecordRow row, long position, long time) {
                List<Object> values = new ArrayList<>();
                for (DecodedColumn column : spec.decode().columns()) {
                    if (column.fallback() == null) {
                        values.add(row.value(values.size()));
                    }
                }
                rows.add(values.toString());
            }

            @Override
            public void rejected(long position, byte[] in, int from, int length, String reason) {
                rows.add(reason);
            }
        });
        return rows;
    }
}
