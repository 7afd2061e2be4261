package io.updraft.timeseries.expression;

import static io.updraft.timeseries.record.FieldType.BOOLEAN;
import static io.updraft.timeseries.record.FieldType.DECIMAL;
import static io.updraft.timeseries.record.FieldType.DOUBLE;
import static io.updraft.timeseries.record.FieldType.LONG;
import static io.updraft.timeseries.record.FieldType.TEXT;
import static io.updraft.timeseries.record.FieldType.TIME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.math.BigDecimal;
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
            new Schema.Field("max", LONG),
            new Schema.Field("price", DECIMAL, 2)));

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
        row.setLong(12, 12_345);
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
            case DECIMAL -> BigDecimal.valueOf(value.whole, expression.scale()).toPlainString();
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
                "price * 1.20 | 148.1400",
                "price + none | none",
                "price * a | 864.15",
                "price * 0.12345678901 | 15.2407406032845",
                "price * price * price * price | 232254628.20950625",
                "price * price * price * price * price | none",
                "price + 10000000000000000 | none",
                "price + max | none",
                "price * 1e16::bigint | none",
                "price < max | true",
                "price < -max | false",
                "max > 1.5 | true",
                "max = 1.5 | false",
                "max in (9223372036854775806, 1.5) | false",
                "max in (1.5, 9223372036854775807) | true",
                "max between 0.5 and price | false",
                "coalesce(max, price) | none",
                "greatest(price, max, 1.5) | none",
                "least(price, max, 1.5) | 1.50",
                "case when yes then max else price end | none",
                "a * 0.5 | 3.5",
                "coalesce(none, 0.50) | 0.5",
                "a + 0.1 + 0.2 | 7.3",
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
                "concat(s, nothing) | Çafé AB",
                "s || nothing | none",
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
                "a b | 2 | 'b' is not expected here",
                "q + 1 | 0 | there is no column q",
                "flight.numbr + 1 | 0 | there is no column flight.numbr; did you mean flight.number?",
                "a + s | 0 | '+' does not apply to a number and text",
                "t + t | 0 | '+' does not apply to a time and a time",
                "a == s | 0 | '=' takes values of one type, not a number and text; CAST converts",
                "yes < true | 0 | true and false have no order",
                "t > 'noon' | 0 | 'noon' is not an ISO 8601 time",
                "a and yes | 0 | expected true or false, but this is a number",
                "yes and a | 8 | expected true or false, but this is a number",
                "not s | 4 | expected true or false, but this is text",
                "lower(a) | 0 | lower takes text, but this is a number",
                "lower(s, s) | 0 | lower takes 1 argument, not 2",
                "lowr(s) | 0 | there is no function lowr; did you mean lower?",
                "truncate(t, 5) | 0 | there is no function truncate of these; write time_bucket(INTERVAL 5 MINUTE, t)",
                "coalesce(a, s) | 0 | coalesce takes values of one type, not a number and text; CAST converts",
                "a in ('x') | 0 | 'in' takes values of one type, not a number and text; CAST converts",
                "(a | 0 | no ) closes this parenthesis",
                "a) | 1 | no ( opens this parenthesis",
                "() | 0 | there is nothing in these parentheses",
                "case when yes then 1 | 0 | no 'end' closes this 'case'",
                "s == 'x | 5 | no ' closes the quoted text",
                "a # b | 2 | '#' is not allowed here",
                "12x | 0 | 12x is not a number",
                "9223372036854775808 | 0 | 9223372036854775808 is too large",
                "cast(s as blob) | 0 | the type blob is not supported; the types are VARCHAR, BIGINT, INTEGER, DOUBLE, DECIMAL, BOOLEAN, TIMESTAMP and DATE",
                "cast(t as bigint) | 0 | a time cannot be cast to bigint",
                "regexp_matches(s, '(') | 0 | the regular expression is invalid: missing closing ): (",
                "price::decimal(19, 2) | 0 | a DECIMAL has 1 to 18 digits, not more of them after the point",
                "price::decimal(2, 3) | 0 | a DECIMAL has 1 to 18 digits, not more of them after the point",
                "cast(t as decimal) | 0 | a time cannot be cast to decimal",
                "date_trunc('fortnight', t) | 0 | date_trunc does not know 'fortnight'; the parts are year, quarter, month, week, day, hour, minute, second and millisecond",
                "t at time zone 'Mars' | 0 | there is no time zone 'Mars'",
                "t + interval 'soon' | 0 | an interval is a number and a unit, such as INTERVAL 5 MINUTE or INTERVAL '1 hour 30 minutes'",
                "strftime(t, '%Q') | 0 | strftime does not know the format '%Q'",
                "s || yes | 0 | '||' joins texts; write 'or' between conditions",
                "a similar to b | 2 | 'similar' is not expected here",
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
    void shouldRefuseASecondColumnOfAName() {
        assertThat(Expressions.column("delay", "a - b", SCHEMA).type()).isEqualTo(LONG);
        assertThatThrownBy(() -> Expressions.column("a", "b", SCHEMA))
                .hasMessage("there is a column a already, at character 1 of: b");
    }

    @Test
    void shouldRefuseAFilterThatIsNeitherTrueNorFalse() {
        assertThatThrownBy(() -> Expressions.condition("a + 1", SCHEMA))
                .hasMessage("a filter must be true or false, but this is a number, at character 1 of: a + 1");
    }

    @Test
    void shouldRefuseWhatIsNestedTooDeep() {
        for (String deep : List.of(
                "(".repeat(300), "(-".repeat(300), "!(".repeat(300), "case when ".repeat(90), "lower(".repeat(300))) {
            String closed = deep + "a" + (deep.startsWith("case") ? " then a end".repeat(90) : ")".repeat(300));
            assertThatThrownBy(() -> Expressions.expression(closed, SCHEMA))
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
                    .hasMessageStartingWith("more than 2000 words and signs");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " | ",
            quoteCharacter = '~',
            value = {
                "a == 7 | a = 7",
                "a != 7 && s == \"y\" | a != 7 and s = 'y'",
                "yes || none == 1 | yes or none = 1",
                "s || nothing | s || nothing",
                "!yes | not yes",
                "`odd name` > 1 | \"odd name\" > 1",
                "s == \"it's \\\"new\\\"\" | s = 'it''s \"new\"'",
                "s == 'it\\'s' | s = 'it''s'",
                "exists(s) and exists(a + none) | (s is not null) and (a + none is not null)",
                "truncate(t, \"5m\") > '2013-01-01' | time_bucket(interval 5 minute, t) > '2013-01-01'",
                "truncate(t, '7d') > t | truncate(t, '7d') > t",
                "a = 7 and \"odd name\" = 1 | a = 7 and \"odd name\" = 1",
                "a + | a +",
            })
    void shouldWriteInSqlWhatWasWrittenOtherwise(String old, String sql) {
        assertThat(Expressions.renewed(old, SCHEMA)).isEqualTo(sql);
    }

    @Test
    void shouldComeToTheSameInSql() {
        for (String old : List.of(
                "a == 7 && exists(s)",
                "yes || none == 1",
                "!yes || `odd name` > 1",
                "truncate(t, '5m') > '2013-01-01'",
                "s == \"Çafé AB\"")) {
            assertThat(evaluate(Expressions.renewed(old, SCHEMA))).as(old).isEqualTo(evaluate(old));
        }
    }

    @Test
    void shouldNotTakeColumnsForWordsOfSql() {
        Schema words = new Schema(List.of(
                new Schema.Field("when", LONG),
                new Schema.Field("date", TIME),
                new Schema.Field("end", LONG),
                new Schema.Field("hour", LONG),
                new Schema.Field("like", TEXT),
                new Schema.Field("order", TEXT),
                new Schema.Field("Group", TEXT)));

        for (String text : List.of(
                "when > 5 and end < 7",
                "date > DATE '2020-01-01'",
                "extract(hour from date) = hour",
                "case when \"when\" > 1 then \"end\" else hour end = 3",
                "like like 'a%' and order = group",
                "CAST(hour AS DOUBLE) > 1")) {
            assertThat(Expressions.condition(text, words).type()).as(text).isEqualTo(BOOLEAN);
        }
    }

    @Test
    void shouldParseDeepNestingInNoTime() {
        String deep = "case when (a + (b * (2))) > 1 then ".repeat(20) + "a" + " else b end".repeat(20);

        assertThat(evaluate(deep)).isEqualTo("7");
        assertThat(evaluate("(".repeat(45) + "a" + ")".repeat(45))).isEqualTo("7");
        assertThat(evaluate("coalesce(".repeat(40) + "a" + ", b)".repeat(40))).isEqualTo("7");
    }

    @Test
    void shouldRefuseTheRecordWhoseValueCannotBeCast() {
        assertThatThrownBy(() -> evaluate("cast(s as double)"))
                .hasMessage("cannot cast 'Çafé AB' to DOUBLE; TRY_CAST makes it NULL");
        assertThat(evaluate("try_cast(s as double)")).isEqualTo("none");
    }
}
