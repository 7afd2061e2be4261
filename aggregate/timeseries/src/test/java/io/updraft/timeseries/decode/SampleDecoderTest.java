package io.updraft.timeseries.decode;

import static io.updraft.timeseries.record.FieldType.DOUBLE;
import static io.updraft.timeseries.record.FieldType.TIME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class SampleDecoderTest {

    @Test
    void shouldNameTheMembersOfJsonByPathsThatFindThem() {
        SampleDecoder sample = json("""
                \uFEFF{"log.level":"INFO","@timestamp":"2024-01-01","tags":["x"],"":1,"a\\"b":{"c":2}}
                  {"deep":{"v":1.50,"x.y":true,"a[0]":"q","none":null},"a b":{"c":3},"@key":{"z":4}}
                """);

        assertThat(sample.names())
                .containsExactly(
                        "log.level",
                        "@timestamp",
                        "",
                        "[\"a\"b\"].c",
                        "deep.v",
                        "deep.x.y",
                        "deep[\"a[0]\"]",
                        "deep.none",
                        "a b.c",
                        "@key.z");
        assertThat(sample.names())
                .filteredOn(name -> !name.equals("deep.none"))
                .allSatisfy(name -> assertThat(sample.values(name)).hasSize(1));
        assertThat(sample.values("deep.v")).containsExactly("1.50");
        assertThat(sample.values("tags[0]")).containsExactly("x");
        assertThat(sample.values("nothing")).isEmpty();
        assertThat(sample.values("a[")).isEmpty();
    }

    @Test
    void shouldLeaveOutRecordsThatTheDecoderRefuses() {
        assertThat(json("{\"v\":1}\n{\"v\":NaN}\n{v: 2}\n{\"v\":{}}\n[3]\n{\"v\":4}\n")
                        .values("v"))
                .containsExactly("1", "4");
        assertThat(csv("v,w\n1,a\n5\" long,b\n2\n3,c\n").values("v")).containsExactly("1", "3");
    }

    @Test
    void shouldNameTheColumnsOfCsv() {
        SampleDecoder sample = csv("\uFEFFid, name ,Duration (s),\"a,b\"\"c\",id\r\n1,x,2,3,4\r\n");

        assertThat(sample.names()).containsExactly("id", " name ", "Duration (s)", "a,b\"c");
        assertThat(sample.values("name")).containsExactly("x");
        assertThat(sample.values("a,b\"c")).containsExactly("3");
        assertThatThrownBy(() -> csv("a\"b,c\n"))
                .hasMessage("the first line cannot name the columns: invalid CSV: a quote in a field that does not"
                        + " begin with one at byte 1");
    }

    @Test
    void shouldAcceptWhatAColumnTakes() {
        assertThat(SampleDecoder.accepts(DecodedColumn.of("v", DOUBLE), "1e3")).isTrue();
        assertThat(SampleDecoder.accepts(DecodedColumn.of("v", DOUBLE), "NaN")).isFalse();
        assertThat(SampleDecoder.accepts(DecodedColumn.of("v", DOUBLE).none("NA"), "NA"))
                .isFalse();
        assertThat(SampleDecoder.accepts(DecodedColumn.of("t", TIME), "2024-05-01 12:34:56 +0200"))
                .isTrue();
        assertThat(SampleDecoder.accepts(DecodedColumn.of("t", TIME), "2024-05-01 12:34:56 "))
                .isFalse();
    }

    private static SampleDecoder json(String text) {
        return new SampleDecoder(null, null, text.getBytes(StandardCharsets.UTF_8));
    }

    private static SampleDecoder csv(String text) {
        return new SampleDecoder(CsvFormat.STANDARD, null, text.getBytes(StandardCharsets.UTF_8));
    }
}
