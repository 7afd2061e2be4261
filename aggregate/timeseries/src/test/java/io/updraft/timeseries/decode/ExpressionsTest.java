package io.updraft.timeseries.decode;

import static io.updraft.timeseries.record.FieldType.BOOLEAN;
import static io.updraft.timeseries.record.FieldType.DOUBLE;
import static io.updraft.timeseries.record.FieldType.LONG;
import static io.updraft.timeseries.record.FieldType.TEXT;
import static io.updraft.timeseries.record.FieldType.TIME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExpressionsTest {

    private static final Schema SCHEMA = new Schema(List.of(
            new Schema.Field("a", LONG),
            new Schema.Field("b", LONG),
            new Schema.Field("x", DOUBLE),
            new Schema.Field("s", TEXT),
            new Schema.Field("yes", BOOLEAN),
            new Schema.Field("t", TIME),
            new Schema.Field("none", LONG),
            new Schema.Field("nothing", TEXT),
            new Schema.Field("unknown", BOOLEAN),
            new Schema.Field("odd name", LONG),
            new Schema.Field("flight.number", LONG),
            new Schema.Field("max", LONG)));

    private static RecordRow row() {
        RecordRow row = new RecordRow(SCHEMA);
        row.setLong(0, 7);
        row.setLong(1, -2);
        row.setDouble(2, 1.5);
        byte[] text = "Çafé AB".getBytes(StandardCharsets.UTF_8);
        row.setText(3, text, 0, text.length);
        row.setLong(4, 1);
        row.setLong(5, 1_356_998_461_000L);
        row.setLong(9, 9);
        row.setLong(10, 10);
        row.setLong(11, Long.MAX_VALUE);
        return row;
    }

    private static String evaluate(String text) {
        Expression expression = Expressions.expression(text, SCHEMA);
        ExpressionValue value = new ExpressionValue();
        expression.evaluate(row(), value);
        if (!value.present) {
            return "none";
        }
        return switch (expression.type()) {
            case TEXT -> new String(value.bytes, value.from, value.length, StandardCharsets.UTF_8);
            case DOUBLE -> Double.toString(value.real);
            case BOOLEAN -> value.whole == 1 ? "true" : "false";
            default -> Long.toString(value.whole);
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " | ",
            quoteCharacter = '~',
            value = {
                "a + b * 2 | 3",
                "(a + b) * 2 | 10",
                "a - b - 1 | 8",
                "-a | -7",
                "- -a | 7",
                "-(a) + -3 | -10",
                "a / b | -3.5",
                "a % b | 1",
                "a * x | 10.5",
                "x - 1 | 0.5",
                "1e3 + a | 1007.0",
                "a / 0 | none",
                "a % 0 | none",
                "a + none | none",
                "x * none | none",
                "max + 1 | none",
                "max * 2 | none",
                "0 - max - 2 | none",
                "max - 1 | 9223372036854775806",
                "-9223372036854775808 | -9223372036854775808",
                "`odd name` + flight.number | 19",
                "t - 1000 | 1356998460000",
                "t - t | 0",
                "truncate(t, '5m') | 1356998400000",
                "truncate(t, \"1d\") | 1356998400000",
                "lower(s) | çafé ab",
                "upper('abz{}@[09') | ABZ{}@[09",
                "lower(\"AZ@[`{\") | az@[`{",
                "concat(s, '/', a, '/', x, '/', yes) | Çafé AB/7/1.5/true",
                "concat(s, nothing) | none",
                "coalesce(nothing, s) | Çafé AB",
                "coalesce(none, a, x) | 7.0",
                "coalesce(none, none) | none",
                "'it\\'s' | it's",
                "\"a\\\\b\" | a\\b",
                "a == 7 | true",
                "a == 7.0 | true",
                "a != 7 | false",
                "a < x | false",
                "b <= -2 and a >= 7 | true",
                "s == 'Çafé AB' | true",
                "s > 'Z' | true",
                "'abc' < 'abd' && 'ab' < 'abc' | true",
                "yes == true | true",
                "yes != false | true",
                "not yes | false",
                "!!yes | true",
                "none == 1 | none",
                "not (none == 1) | none",
                "none == 1 or yes | true",
                "yes || none == 1 | true",
                "none == 1 and not yes | false",
                "none == 1 && yes | none",
                "unknown or unknown | none",
                "exists(none) | false",
                "exists(a + none) | false",
                "exists(s) and !exists(nothing) | true",
                "a in (1, 7) | true",
                "a in (1.5, 7.0) | true",
                "a not in (1, 7) | false",
                "x in (1, 2) | false",
                "s in ('x', 'Çafé AB') | true",
                "none in (1) | none",
                "b in (-2) | true",
                "t > '2013-01-01' | true",
                "'2013-01-01T00:01:01Z' == t | true",
                "t in ('2013-01-01T00:01:01Z') | true",
                "yes or unknown and not yes | true",
            })
    void shouldComeTo(String expression, String expected) {
        assertThat(evaluate(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " | ",
            quoteCharacter = '~',
            value = {
                "a + | 3 | expected a value but it ends",
                "a b | 2 | expected the end or an operator",
                "a = 1 | 2 | expected the end or an operator (equal is written ==)",
                "q + 1 | 0 | there is no column q",
                "a + s | 2 | '+' does not apply to a number and text",
                "t + t | 2 | '+' does not apply to a time and a time",
                "a == s | 2 | a number cannot be compared with text",
                "yes < true | 4 | true and false have no order",
                "t > 'noon' | 2 | \"noon\" is not an ISO 8601 time",
                "a and yes | 0 | expected true or false, but this is a number",
                "yes and a | 8 | expected true or false, but this is a number",
                "not s | 4 | expected true or false, but this is text",
                "lower(a) | 0 | lower takes text, but this is a number",
                "lower(s, s) | 0 | lower takes one argument, not 2",
                "sqrt(a) | 0 | unknown function sqrt; the functions are exists, lower, upper, concat, coalesce and truncate",
                "truncate(t, 5) | 0 | truncate takes a time and a span such as \"5m\" (ms, s, m, h or d)",
                "truncate(t, '0m') | 0 | truncate takes a time and a span such as \"5m\" (ms, s, m, h or d)",
                "coalesce(a, s) | 0 | coalesce takes values of one type, not a number and text",
                "a in (b) | 6 | only literals can be in a list",
                "a in ('x') | 6 | a number cannot equal text",
                "a not 1 | 6 | expected in",
                "(a | 2 | expected ) but it ends",
                "s == 'x | 5 | no ' closes the quoted text",
                "a # b | 2 | '#' is not allowed here",
                "12x | 0 | 12x is not a number, or is too large",
                "9223372036854775808 | 0 | 9223372036854775808 is not a number, or is too large",
                "a == 1 == 2 | 7 | expected the end or an operator",
            })
    void shouldSayWhatIsWrongAndWhere(String expression, int position, String message) {
        ExpressionException e =
                catchThrowableOfType(ExpressionException.class, () -> Expressions.expression(expression, SCHEMA));

        assertThat(e)
                .as(expression)
                .isNotNull()
                .hasMessage(message + ", at character " + (position + 1) + " of: " + expression);
    }

    @Test
    void shouldReadDefinitions() {
        assertThat(Expressions.definition("delay = a - b", SCHEMA).field()).isEqualTo(new Schema.Field("delay", LONG));
        assertThat(Expressions.definition("`my ratio` = a / b", SCHEMA).field())
                .isEqualTo(new Schema.Field("my ratio", FieldType.DOUBLE));
        assertThatThrownBy(() -> Expressions.definition("a = b", SCHEMA))
                .hasMessage("there is a column a already, at character 1 of: a = b");
        assertThatThrownBy(() -> Expressions.definition("c - b", SCHEMA)).hasMessageContaining("expected =");
        assertThatThrownBy(() -> Expressions.definition("1 = b", SCHEMA))
                .hasMessageContaining("expected the name of a derived column");
    }

    @Test
    void shouldRefuseAFilterThatIsNeitherTrueNorFalse() {
        assertThatThrownBy(() -> Expressions.condition("a + 1", SCHEMA))
                .hasMessage("a filter must be true or false, but this is a number, at character 1 of: a + 1");
    }

    @Test
    void shouldRefuseWhatIsNestedTooDeep() {
        for (String deep : List.of(
                "(".repeat(100_000), "-".repeat(1) + "(-".repeat(100_000), "- ".repeat(100_000), "!(".repeat(9999))) {
            assertThatThrownBy(() -> Expressions.expression(deep, SCHEMA))
                    .isInstanceOf(ExpressionException.class)
                    .hasMessageStartingWith("nested too deep")
                    .hasMessageMatching(".{50,250}");
        }
    }

    @Test
    void shouldRefuseMoreOperatorsThanTheStackCanHold() {
        for (String operator : List.of(" + 1", " * 1", " or yes", " and yes")) {
            String first = operator.contains("yes") ? "yes" : "b";
            assertThatThrownBy(() -> Expressions.expression(first + operator.repeat(100_000), SCHEMA))
                    .isInstanceOf(ExpressionException.class)
                    .hasMessageStartingWith("more than 1000 operators");
        }
    }
}
