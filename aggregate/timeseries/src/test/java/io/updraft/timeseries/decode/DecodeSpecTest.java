package io.updraft.timeseries.decode;

import static io.updraft.timeseries.record.FieldType.BOOLEAN;
import static io.updraft.timeseries.record.FieldType.DOUBLE;
import static io.updraft.timeseries.record.FieldType.LONG;
import static io.updraft.timeseries.record.FieldType.TEXT;
import static io.updraft.timeseries.record.FieldType.TIME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.timeseries.expression.ExpressionException;
import io.updraft.timeseries.record.Schema;
import io.updraft.timeseries.record.TimeFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DecodeSpecTest {

    @Test
    void shouldTellWhatRowsLookLike() {
        DecodeSpec spec = DecodeSpec.json(DecodedColumn.of("a", LONG), DecodedColumn.of("t", TIME))
                .deriving("b", "a / 2")
                .deriving("c", "b > 1 and exists(t)");

        assertThat(spec.schema().fields())
                .containsExactly(
                        new Schema.Field("a", LONG),
                        new Schema.Field("t", TIME),
                        new Schema.Field("b", DOUBLE),
                        new Schema.Field("c", BOOLEAN));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a. | path a. is invalid: expected a name at character 3",
                "a..b | path a..b is invalid: expected a name at character 3",
                "a[x] | path a[x] is invalid: expected *, an index or a name in quotes at character 3",
                "a[1 | path a[1 is invalid: expected ] at character 3",
                "a[\"b] | path a[\"b] is invalid: expected \"] at character 3",
                "a]b | path a]b is invalid: expected . or [ at character 3",
                "a[*].b[*] | path a[*].b[*] of column c has more than one [*]: only one array of a record can be exploded",
                "@.x | path @.x of column c belongs to an element, but nothing is exploded",
            })
    void shouldRefuseWrongPaths(String path, String message) {
        assertThatThrownBy(() -> DecodeSpec.json(DecodedColumn.of("c", TEXT, path)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void shouldRefusePathsThatDoNotGoTogether() {
        assertThatThrownBy(() ->
                        DecodeSpec.json(DecodedColumn.of("a", TEXT, "x[*].a"), DecodedColumn.of("b", TEXT, "y[*].b")))
                .hasMessage("path y[*].b of column b explodes something other than x");
        assertThatThrownBy(() -> DecodeSpec.exploding("x", DecodedColumn.of("a", TEXT, "x.a")))
                .hasMessage(
                        "path x.a of column a is inside the exploded value: begin it with @ for a field of an element");
        assertThatThrownBy(() -> DecodeSpec.exploding("@.y", DecodedColumn.of("a", TEXT)))
                .hasMessage("explode @.y must be the path of an array or object in the record");
        assertThatThrownBy(() -> new DecodeSpec(
                        DecodeSpec.Format.CSV, null, "x", List.of(DecodedColumn.of("a", TEXT)), List.of(), null))
                .hasMessage("CSV has no arrays to explode: remove explode x");
        assertThatThrownBy(DecodeSpec::json).hasMessage("at least one column is needed");
        assertThatThrownBy(() -> DecodeSpec.json(DecodedColumn.of("a", TEXT), DecodedColumn.of("a", TEXT))
                        .schema())
                .hasMessage("field a comes twice");
    }

    @Test
    void shouldRefuseColumnsThatContradictThemselves() {
        assertThatThrownBy(() -> DecodedColumn.of("a", LONG).or("1").require())
                .hasMessage("column a is required and cannot have a default");
        assertThatThrownBy(() -> DecodedColumn.of("a", LONG).at(TimeFormat.ISO))
                .hasMessage("column a is of type LONG and cannot have a time format");
        assertThatThrownBy(() -> Decoder.create(
                        DecodeSpec.json(DecodedColumn.of("a", LONG).or("x"))))
                .hasMessage("default of column a: expected a whole number of 64 bits, found \"x\"");
    }

    @Test
    void shouldRefuseExpressionsWhenTheDecoderIsMade() {
        DecodeSpec spec = DecodeSpec.json(DecodedColumn.of("a", LONG));

        assertThatThrownBy(() -> Decoder.create(spec.keeping("a + 1"))).isInstanceOf(ExpressionException.class);
        assertThatThrownBy(() -> Decoder.create(spec.deriving("b", "c")))
                .hasMessage("there is no column c, at character 1 of: c");
        assertThatThrownBy(() -> Decoder.create(spec.deriving("b", "b"))).isInstanceOf(ExpressionException.class);
    }

    @Test
    void shouldRefuseMarksOfCsvThatCannotBe() {
        assertThatThrownBy(() -> new CsvFormat(List.of(), '"', '"', "")).hasMessageContaining("two different ASCII");
        assertThatThrownBy(() -> new CsvFormat(List.of(), '\n', '"', "")).hasMessageContaining("not U+000A and '\"'");
    }

    @Test
    void shouldRefuseToReadAColumnOfAnAmbiguousName() {
        CsvFormat csv = new CsvFormat(List.of("a", "b", "a"), ',', '"', "");

        assertThat(DecodedRows.lines(DecodeSpec.csv(csv, DecodedColumn.of("b", TEXT)), "1,2,3\n").rows)
                .containsExactly(List.of("2"));
        assertThatThrownBy(() -> DecodeSpec.csv(csv, DecodedColumn.of("a", TEXT)))
                .hasMessageStartingWith("column a of CSV comes twice");
    }
}
