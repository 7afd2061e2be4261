package io.updraft.pipeline.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RouteTextTest {

    private final Schema schema = new Schema(List.of(
            new Schema.Field("name", FieldType.TEXT),
            new Schema.Field("n", FieldType.LONG),
            new Schema.Field("at", FieldType.TIME)));
    private final RecordRow row = new RecordRow(schema);

    @Test
    void shouldWriteAKeyOfOneFieldAsOthersWould() {
        row.setText(0, "xcpu \"a\"x".getBytes(UTF_8), 1, 7);
        row.setLong(1, -7);
        assertThat(key("name")).isEqualTo("cpu \"a\"");
        assertThat(key("n")).isEqualTo("-7");
        assertThat(key("at")).isEmpty();
    }

    @Test
    void shouldDistinguishKeysOfSeveralFields() {
        row.setText(0, "a\",\"b");
        assertThat(key("name", "n")).isEqualTo("[\"a\\\",\\\"b\",null]");
        row.setLong(1, 5);
        assertThat(key("n", "name")).isEqualTo("[5,\"a\\\",\\\"b\"]");
    }

    @Test
    void shouldWriteRowsAsObjects() {
        row.setText(0, "é");
        row.setLong(2, 1_357_000_000_000L);
        assertThat(new String(new RouteText(schema, List.of("name")).row(row), UTF_8))
                .isEqualTo("{\"name\":\"é\",\"n\":null,\"at\":\"2013-01-01T00:26:40Z\"}");
    }

    private String key(String... fields) {
        return new String(new RouteText(schema, List.of(fields)).key(row), UTF_8);
    }
}
