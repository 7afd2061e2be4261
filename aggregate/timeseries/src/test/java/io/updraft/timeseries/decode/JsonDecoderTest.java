package io.updraft.timeseries.decode;

import static io.updraft.timeseries.record.FieldType.BOOLEAN;
import static io.updraft.timeseries.record.FieldType.DOUBLE;
import static io.updraft.timeseries.record.FieldType.LONG;
import static io.updraft.timeseries.record.FieldType.TEXT;
import static io.updraft.timeseries.record.FieldType.TIME;
import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonDecoderTest {

    private static final DecodeSpec FLIGHT = DecodeSpec.json(
            DecodedColumn.of("carrier", TEXT, "flight.carrier"),
            DecodedColumn.of("number", LONG, "flight.number"),
            DecodedColumn.of("tag", TEXT, "tags[1]"),
            DecodedColumn.of("delay", DOUBLE),
            DecodedColumn.of("late", BOOLEAN),
            DecodedColumn.of("at", TIME));

    @Test
    void shouldFindValuesByTheirPaths() {
        DecodedRows decoded = DecodedRows.lines(FLIGHT, """
                {"flight":{"carrier":"AA","number":11},"tags":["a","b"],"delay":1.5,"late":true,"at":"2013-01-01T00:00:01Z"}
                {"at": "2013-01-01", "x": [{"y": null}], "flight" : {"number" : 12 , "carrier":"B\\u00e9\\n"} }
                """);

        assertThat(decoded.reasons).isEmpty();
        assertThat(decoded.rows)
                .containsExactly(
                        asList("AA", 11L, "b", 1.5, 1L, 1356998401000L),
                        asList("Bé\n", 12L, null, null, null, 1356998400000L));
        assertThat(decoded.positions).containsExactly(0L, 109L);
    }

    @Test
    void shouldFindWantedMembersWhateverUnwantedOnesComeBetween() {
        DecodeSpec spec = DecodeSpec.json(
                DecodedColumn.of("a", LONG), DecodedColumn.of("bc", LONG), DecodedColumn.of("in", LONG, "o.a"));
        Random random = new Random(1);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            List<String> members = new ArrayList<>(List.of("\"a\":1", "\"bc\":2", "\"o\":{\"x\":[9],\"a\":3}"));
            for (int j = random.nextInt(4); j > 0; j--) {
                // More names than are remembered, some again and again, some that begin as wanted ones do.
                String name = random.nextBoolean() ? "b" : "u\u00e9" + random.nextInt(1_000);
                members.add("\"" + name + "\":{\"a\":7,\"bc\":[8]}");
            }
            Collections.shuffle(members, random);
            lines.add("{" + String.join(",", members) + "}");
        }

        DecodedRows decoded = DecodedRows.lines(spec, String.join("\n", lines));

        assertThat(decoded.reasons).isEmpty();
        assertThat(decoded.rows).hasSize(2_000).containsOnly(List.of(1L, 2L, 3L));
    }

    @Test
    void shouldFindNamesThatArePathsInQuotes() {
        DecodeSpec spec = DecodeSpec.json(
                DecodedColumn.of("a", TEXT, "[\"a.b\"]['c d']"),
                DecodedColumn.of("b", TEXT, "é\t"),
                DecodedColumn.of("c", LONG, "matrix[1][0]"));

        DecodedRows decoded =
                DecodedRows.lines(spec, "{\"a.b\":{\"c d\":\"x\"},\"\\u00e9\\t\":\"y\",\"matrix\":[[1,2],[3,4]]}");

        assertThat(decoded.rows).containsExactly(asList("x", "y", 3L));
    }

    @Test
    void shouldConvertToTheTypeOfTheColumn() {
        DecodeSpec spec = DecodeSpec.json(
                DecodedColumn.of("text", TEXT, "a"),
                DecodedColumn.of("whole", LONG, "b"),
                DecodedColumn.of("real", DOUBLE, "c"),
                DecodedColumn.of("truth", BOOLEAN, "d"));

        DecodedRows decoded = DecodedRows.lines(spec, """
                {"a":1.50,"b":"12","c":"1e2","d":"TRUE"}
                {"a":true,"b":3.0,"c":7,"d":0}
                {"a":"","b":1e3,"c":"-0.5","d":"1"}
                """);

        assertThat(decoded.reasons).isEmpty();
        assertThat(decoded.rows)
                .containsExactly(
                        asList("1.50", 12L, 100.0, 1L), asList("true", 3L, 7.0, 0L), asList("", 1000L, -0.5, 1L));
    }

    @Test
    void shouldTellWhatDoesNotFitItsColumn() {
        DecodeSpec spec = DecodeSpec.json(
                DecodedColumn.of("n", LONG),
                DecodedColumn.of("x", DOUBLE),
                DecodedColumn.of("b", BOOLEAN),
                DecodedColumn.of("t", TIME),
                DecodedColumn.of("s", TEXT));

        DecodedRows decoded = DecodedRows.lines(spec, """
                {"n":1.5}
                {"n":9223372036854775808}
                {"x":"abc"}
                {"x":1e999}
                {"b":2}
                {"t":"2013-02-30"}
                {"s":{}}
                {"s":[1]}
                {"n":1}
                """);

        assertThat(decoded.rows).containsExactly(asList(1L, null, null, null, null));
        assertThat(decoded.reasons)
                .containsExactly(
                        "column n: expected a whole number of 64 bits, found \"1.5\"",
                        "column n: expected a whole number of 64 bits, found \"9223372036854775808\"",
                        "column x: expected a number, found \"abc\"",
                        "column x: expected a number, found \"1e999\"",
                        "column b: expected true or false, found \"2\"",
                        "column t: expected a time (iso), found \"2013-02-30\"",
                        "column s: expected text, found an object at byte 5",
                        "column s: expected text, found an array at byte 5");
        assertThat(decoded.badRecords.get(6)).isEqualTo("{\"s\":{}}");
    }

    @Test
    void shouldPutDefaultsWhereThereIsNoValue() {
        DecodeSpec spec = DecodeSpec.json(
                DecodedColumn.of("a", TEXT).or("none"),
                DecodedColumn.of("n", LONG).or("7"),
                DecodedColumn.of("b", TEXT, "x.b").require());

        DecodedRows decoded =
                DecodedRows.lines(spec, "{\"x\":{\"b\":\"\"}}\n{\"a\":null,\"n\":1,\"x\":{\"b\":null}}\n{\"x\":2}");

        assertThat(decoded.rows).containsExactly(asList("none", 7L, ""));
        assertThat(decoded.reasons)
                .containsExactly(
                        "column b: required, but there is no value at x.b",
                        "column b: required, but there is no value at x.b");
    }

    @Test
    void shouldTakeTheLastOfValuesOfOneName() {
        DecodeSpec spec = DecodeSpec.json(
                DecodedColumn.of("a", LONG), DecodedColumn.of("b", LONG, "o.b"), DecodedColumn.of("c", LONG, "o.c"));

        DecodedRows decoded = DecodedRows.lines(
                spec, "{\"a\":1,\"a\":2,\"o\":{\"b\":1,\"c\":1},\"o\":{\"b\":2}}\n{\"a\":1,\"\\u0061\":null}");

        assertThat(decoded.rows).containsExactly(asList(2L, 2L, 1L), asList(null, null, null));
    }

    @Test
    void shouldGiveARowForEachElement() {
        DecodeSpec spec = DecodeSpec.json(
                DecodedColumn.of("name", TEXT, "gauges[*].name"),
                DecodedColumn.of("value", DOUBLE, "@.value"),
                DecodedColumn.of("source", TEXT, "source"));

        DecodedRows decoded = DecodedRows.records(
                spec,
                "{\"gauges\":[{\"name\":\"a\",\"value\":1},{\"value\":2,\"name\":\"b\\n\"}],\"source\":\"s\"}",
                "{\"gauges\":[]}",
                "{\"gauges\":null}",
                "{}",
                "{\"gauges\":[{\"name\":\"a\",\"value\":1},{\"value\":\"x\"}]}",
                "{\"gauges\":[{\"name\":\"a\",\"value\":1}],\"gauges\":[{\"name\":\"c\",\"value\":3}]}",
                "{\"gauges\":5}");

        assertThat(decoded.rows)
                .containsExactly(asList("a", 1.0, "s"), asList("b\n", 2.0, "s"), asList("c", 3.0, null));
        assertThat(decoded.positions).containsExactly(100L, 100L, 105L);
        assertThat(decoded.times).containsExactly(1000L, 1000L, 1005L);
        assertThat(decoded.badPositions).containsExactly(104L, 106L);
        assertThat(decoded.reasons.get(0)).isEqualTo("column value: expected a number, found \"x\"");
        assertThat(decoded.reasons.get(1))
                .isEqualTo("the value to explode is a number, not an array or object, at byte 10");
    }

    @Test
    void shouldGiveARowForEachMember() {
        DecodeSpec spec = DecodeSpec.exploding(
                "values",
                DecodedColumn.of("metric", TEXT, "@key"),
                DecodedColumn.of("value", DOUBLE, "@"),
                DecodedColumn.of("host", TEXT));

        DecodedRows decoded =
                DecodedRows.lines(spec, "{\"values\":{\"cpu\":0.5,\"m\\u0065m\":12 , \"n\":null},\"host\":\"h\"}");

        assertThat(decoded.rows)
                .containsExactly(asList("cpu", 0.5, "h"), asList("mem", 12.0, "h"), asList("n", null, "h"));
    }

    @Test
    void shouldExplodeARecordThatIsAnArray() {
        DecodeSpec spec = DecodeSpec.json(DecodedColumn.of("a", LONG, "[*].a"));

        assertThat(DecodedRows.lines(spec, "[{\"a\":1},{\"a\":2}]").rows).containsExactly(asList(1L), asList(2L));
    }

    @Test
    void shouldGiveAllRowsOfARecordWithMoreElementsThanWait() {
        DecodeSpec spec = DecodeSpec.json(
                DecodedColumn.of("i", LONG, "a[*].i").require(),
                DecodedColumn.of("s", TEXT, "@.s").or("-"),
                DecodedColumn.of("z", TEXT));
        String elements = IntStream.range(0, 2000)
                .mapToObj(i -> "{\"i\":" + i + (i % 3 == 0 ? "}" : ",\"s\":\"\\t" + i + "\"}"))
                .collect(Collectors.joining(","));

        DecodedRows decoded = DecodedRows.lines(
                spec, "{\"a\":[" + elements + "],\"z\":\"\\tz\"}\n{\"a\":[" + elements + ",{}],\"z\":\"z\"}\n");

        assertThat(decoded.rows).hasSize(2000);
        for (int i = 0; i < 2000; i++) {
            assertThat(decoded.rows.get(i)).isEqualTo(asList((long) i, i % 3 == 0 ? "-" : "\t" + i, "\tz"));
        }
        assertThat(decoded.reasons).containsExactly("column i: required, but there is no value at a[*].i");
    }

    @Test
    void shouldDeriveAndFilter() {
        DecodeSpec spec = DecodeSpec.json(
                        DecodedColumn.of("carrier", TEXT),
                        DecodedColumn.of("dep", LONG),
                        DecodedColumn.of("arr", LONG),
                        DecodedColumn.of("at", TIME))
                .deriving("gain", "dep - arr")
                .deriving("hour", "truncate(at, \"1h\")")
                .deriving("key", "concat(lower(carrier), '-', gain)")
                .keeping("carrier in ('AA', 'UA') and gain > 0");

        DecodedRows decoded = DecodedRows.lines(spec, """
                {"carrier":"AA","dep":5,"arr":3,"at":"2013-01-01T05:59:59Z"}
                {"carrier":"AA","dep":3,"arr":5}
                {"carrier":"DL","dep":5,"arr":3}
                {"carrier":"UA","dep":5}
                """);

        assertThat(decoded.rows).containsExactly(asList("AA", 5L, 3L, 1357019999000L, 2L, 1357016400000L, "aa-2"));
        assertThat(decoded.reasons).isEmpty();
    }

    @Test
    void shouldPassOverBlankLinesAndAByteOrderMark() {
        DecodeSpec spec = DecodeSpec.json(DecodedColumn.of("a", LONG));

        DecodedRows decoded = DecodedRows.lines(spec, "\ufeff{\"a\":1}\r\n\r\n  \n{\"a\":2}\n\n");

        assertThat(decoded.reasons).isEmpty();
        assertThat(decoded.rows).containsExactly(asList(1L), asList(2L));
    }

    @Test
    void shouldReadRecordsOfSeveralLinesButNoLinesOfHalfARecord() {
        DecodeSpec spec = DecodeSpec.json(DecodedColumn.of("a", LONG));

        assertThat(DecodedRows.records(spec, "{\n\"a\":\n1\n}\n", "").rows).containsExactly(asList(1L));
        assertThat(DecodedRows.records(spec, "{\n\"a\":\n1\n}\n", "").badPositions)
                .containsExactly(101L);
        assertThat(DecodedRows.records(spec, "").reasons)
                .containsExactly("an empty record: a tombstone, or a value of no bytes");
        assertThat(DecodedRows.lines(spec, "{\n\"a\":\n1\n}\n{\"a\":2}").rows).containsExactly(asList(2L));
        assertThat(DecodedRows.lines(spec, "{\n\"a\":\n1\n}\n{\"a\":2}").badRecords)
                .containsExactly("{", "\"a\":", "1", "}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "}",
                "[",
                "]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{,}",
                "{\"a\":1 \"b\":2}",
                "{a:1}",
                "{'a':1}",
                "[1,]",
                "[1 2]",
                "[,1]",
                "01",
                "-",
                "+1",
                "1.",
                ".5",
                "1e",
                "1e+",
                "0x1",
                "--1",
                "1-",
                "tru",
                "truex",
                "nul",
                "True",
                "NaN",
                "Infinity",
                "\"",
                "\"\\\"",
                "\"\\x\"",
                "\"\\u12\"",
                "\"\\u12g4\"",
                "\"\\ud800\"",
                "\"\\ud800\\u0041\"",
                "\"\\udc00\"",
                "\"\t\"",
                "1 2",
                "{}{}",
                "// c",
                "[1]]",
                "\"a\" b",
                "\u0000",
                "é"
            })
    void shouldRefuseWhatIsNoJson(String text) {
        DecodeSpec spec = DecodeSpec.json(DecodedColumn.of("x", LONG), DecodedColumn.of("y", LONG, "[3].y"));

        for (String record : List.of(text, "{\"z\":" + text + "}", "[" + text + "]")) {
            DecodedRows decoded = DecodedRows.lines(spec, record + "\n{\"x\":1}");
            assertThat(decoded.rows).as(record).containsExactly(asList(1L, null));
            assertThat(decoded.badRecords).containsExactly(record);
            assertThat(decoded.reasons.get(0)).startsWith("invalid JSON: ").doesNotContain("\n");
        }
    }

    @ParameterizedTest
    @CsvSource({"c3,28", "a0,a1", "e2,28", "c0,af", "f5,80", "ff,fe"})
    void shouldRefuseMalformedUtf8(String first, String second) {
        byte[] text = "{\"s\":\"12345678__\"}".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        text[14] = (byte) Integer.parseInt(first, 16);
        text[15] = (byte) Integer.parseInt(second, 16);

        assertThat(DecodedRows.lines(DecodeSpec.json(DecodedColumn.of("a", TEXT)), text).reasons)
                .containsExactly("invalid JSON: malformed UTF-8 at byte 14");
    }

    @Test
    void shouldTakeNestingUpToTheLimit() {
        DecodeSpec spec = DecodeSpec.json(DecodedColumn.of("a", LONG));
        String deepest = "[".repeat(511) + "]".repeat(511);

        assertThat(DecodedRows.lines(spec, "{\"b\":" + deepest + "}").rows).hasSize(1);
        assertThat(DecodedRows.lines(spec, "{\"b\":[" + deepest + "]}").reasons)
                .containsExactly("invalid JSON: nested deeper than 512 at byte 516");
        assertThat(DecodedRows.lines(spec, "[".repeat(1_000_000)).reasons).hasSize(1);
    }
}
