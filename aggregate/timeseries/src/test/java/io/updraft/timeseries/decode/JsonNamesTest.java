package io.updraft.timeseries.decode;

import static io.updraft.timeseries.record.FieldType.DOUBLE;
import static io.updraft.timeseries.record.FieldType.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A name is the name of a member, whatever characters it has; a path has dots between names. */
final class JsonNamesTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "log.level",
                "@timestamp",
                "@type",
                "@key",
                "$schema",
                "a b",
                " a ",
                "a-b",
                "über",
                "",
                "a[0]",
                "a[",
                "a]",
                "a..b",
                ".",
                ".a",
                "a.",
                "a'b",
                "x@y.z",
                "a.b.c.d.e.f.g.h.i.j",
            })
    void shouldFindTheMemberOfEachName(String name) {
        DecodeSpec spec = DecodeSpec.json(DecodedColumn.of(name, TEXT));

        assertThat(DecodedRows.lines(spec, "{\"other\":1,\"" + name + "\":\"v\"}\n").rows)
                .containsExactly(List.of("v"));
    }

    @Test
    void shouldFindMembersWhoseNamesAreWrittenWithEscapes() {
        assertThat(one("a\"b", "{\"a\\\"b\":\"v\"}")).isEqualTo("v");
        assertThat(one("a\\b", "{\"a\\\\b\":\"v\"}")).isEqualTo("v");
        assertThat(one("a.b", "{\"a\\u002eb\":\"v\"}")).isEqualTo("v");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a.b.c | {\"a.b.c\":1}",
                "a.b.c | {\"a.b\":{\"c\":1}}",
                "a.b.c | {\"a\":{\"b.c\":1}}",
                "a.b.c | {\"a\":{\"b\":{\"c\":1}}}",
                "a.b.c | {\"a\":{\"b\":{\"c\":2}},\"a.b.c\":1}",
                "a.b.c | {\"a.b.c\":1,\"a\":{\"b\":{\"c\":2}}}",
                "a.b.c | {\"a\":{\"b\":{\"c\":2}},\"a.b\":{\"c\":1},\"a.b.c\":null}",
                "a.b.c | {\"a.b.c\":null,\"a.b\":{\"c\":1},\"a\":{\"b\":{\"c\":2}}}",
                "a.b.c | {\"a\":{\"b\":{\"c\":2}},\"a\":{\"b\":{\"c\":1}}}",
                "a.b.c | {\"a.b.c\":2,\"a.b.c\":1}",
                "a[0].b.c | {\"a\":[{\"b.c\":1}]}",
                "@timestamp.ms | {\"@timestamp\":{\"ms\":1}}",
                "[\"a.b\"].c | {\"a\":{\"b\":{\"c\":2}},\"a.b\":{\"c\":1}}",
            })
    void shouldPreferLongerNamesInAnyOrderOfTheMembers(String path, String record) {
        assertThat(one(path, record)).isEqualTo("1");
    }

    @Test
    void shouldDecideForEachRecordAnew() {
        DecodeSpec spec = DecodeSpec.json(DecodedColumn.of("v", DOUBLE, "a.b").or("-1"));

        assertThat(DecodedRows.lines(
                                spec,
                                "{\"a.b\":1}\n"
                                        + "{\"a\":{\"b\":2}}\n"
                                        + "{\"a\":{\"b\":\"x\"}}\n"
                                        + "{}\n"
                                        + "{\"a\":{\"b\":3},\"a.b\":4}\n")
                        .rows)
                .containsExactly(List.of(1.0), List.of(2.0), List.of(-1.0), List.of(4.0));
    }

    @Test
    void shouldFindDottedNamesInExplodedElementsAndBesideThem() {
        DecodeSpec spec = DecodeSpec.exploding(
                "@graph",
                DecodedColumn.of("k", TEXT, "@key"),
                DecodedColumn.of("v", TEXT, "@.a.b"),
                DecodedColumn.of("w", TEXT, "@graph[*].c"),
                DecodedColumn.of("host.name", TEXT),
                DecodedColumn.of("@id", TEXT));

        assertThat(DecodedRows.lines(
                                spec,
                                "{\"@id\":7,\"host\":{\"name\":\"n\"},\"@graph\":{\"x\":{\"a.b\":1},\"y\":{\"a\":{\"b\":2},\"c\":3}},\"host.name\":\"h\"}\n")
                        .rows)
                .containsExactly(Arrays.asList("x", "1", null, "h", "7"), Arrays.asList("y", "2", "3", "h", "7"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a.b | {\"a.b\":[1,2]}",
                "a.b | {\"a\":{\"b\":[1,2]}}",
                "a.b | {\"a.b\":[1,2],\"a\":{\"b\":[3,4,5]}}",
                "a.b | {\"a\":{\"b\":[3,4,5]},\"a.b\":[1,2]}",
                "a.b | {\"a.b\":null,\"a\":{\"b\":[1,2]}}",
                "a.b | {\"a\":{\"b\":[1,2]},\"a.b\":null}",
                "a.b | {\"a\":{\"b\":[1,2]},\"a\":{\"c\":3}}",
                "a.b.c | {\"a.b\":{\"c\":[1,2]}}",
                "[\"a.b\"] | {\"a\":{\"b\":[3]},\"a.b\":[1,2]}",
            })
    void shouldExplodeTheValueOfTheLongestName(String path, String record) {
        DecodeSpec spec = DecodeSpec.exploding(path, DecodedColumn.of("v", TEXT, "@"), DecodedColumn.of("id", TEXT));

        assertThat(DecodedRows.lines(spec, record.replaceFirst(".$", ",\"id\":7}") + "\n").rows)
                .containsExactly(List.of("1", "7"), List.of("2", "7"));
    }

    @Test
    void shouldExplodeMoreElementsThanAreBufferedOfAnyReading() {
        String many = "1,".repeat(999) + "1";
        String record = "{\"a\":{\"b\":[2,3]},\"a.b\":[" + many + "],\"a\":{\"b\":[4]}}\n{\"a\":{\"b\":[5]}}\n";

        assertThat(DecodedRows.lines(DecodeSpec.exploding("a.b", DecodedColumn.of("v", TEXT, "@")), record).rows)
                .hasSize(1001)
                .startsWith(List.of("1"))
                .endsWith(List.of("1"), List.of("5"));
    }

    private static Object one(String path, String record) {
        DecodedRows decoded = DecodedRows.lines(DecodeSpec.json(DecodedColumn.of(path, TEXT)), record + "\n");
        assertThat(decoded.reasons).isEmpty();
        return decoded.rows.get(0).get(0);
    }
}
