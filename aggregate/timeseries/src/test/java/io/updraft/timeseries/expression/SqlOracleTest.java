package io.updraft.timeseries.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RejectedRecordException;
import io.updraft.timeseries.record.Schema;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Expressions against DuckDB: those of a list, and random ones, over random rows with missing values. */
@Tag("one-jdk")
final class SqlOracleTest {

    private static final int ROWS = 60;
    private static final int STATEMENTS = 1_500;

    private static final Schema SCHEMA = new Schema(List.of(
            new Schema.Field("a", FieldType.LONG),
            new Schema.Field("b", FieldType.LONG),
            new Schema.Field("x", FieldType.DOUBLE),
            new Schema.Field("y", FieldType.DOUBLE),
            new Schema.Field("s", FieldType.TEXT),
            new Schema.Field("u", FieldType.TEXT),
            new Schema.Field("p", FieldType.BOOLEAN),
            new Schema.Field("q", FieldType.BOOLEAN),
            new Schema.Field("t", FieldType.TIME),
            new Schema.Field("v", FieldType.TIME),
            new Schema.Field("d", FieldType.DECIMAL, 2),
            new Schema.Field("e", FieldType.DECIMAL, 4)));

    private static final List<RecordRow> ROWS_OF_TABLE = new ArrayList<>();
    private static Connection duckDb;

    @BeforeAll
    static void fillTable() throws SQLException {
        duckDb = DriverManager.getConnection("jdbc:duckdb:");
        try (Statement statement = duckDb.createStatement()) {
            statement.execute("set TimeZone = 'UTC'");
            statement.execute(
                    "create table rows (n integer, a bigint, b bigint, x double, y double, s varchar, u varchar,"
                            + " p boolean, q boolean, t timestamptz, v timestamptz, d decimal(18, 2), e decimal(18, 4))");
            Random random = new Random(42);
            for (int i = 0; i < ROWS; i++) {
                ROWS_OF_TABLE.add(row(random));
                statement.execute(insert(i, ROWS_OF_TABLE.get(i)));
            }
        }
    }

    @AfterAll
    static void close() throws SQLException {
        duckDb.close();
    }

    private static final String[] TEXTS = {
        "",
        "a",
        "ab",
        "abc",
        "Abc-12",
        "ÄÖ ü",
        "12",
        "-7",
        "3.5",
        "  x ",
        "a,b,,c",
        "aXbXc",
        "true",
        "2020-02-29",
        "日本語",
        "%_\\"
    };

    private static RecordRow row(Random random) {
        RecordRow row = new RecordRow(SCHEMA);
        for (int slot = 0; slot < SCHEMA.size(); slot++) {
            if (random.nextInt(6) == 0) {
                continue;
            }
            switch (SCHEMA.fields().get(slot).type()) {
                case LONG -> row.setLong(slot, random.nextInt(41) - 20);
                case DECIMAL ->
                    row.setLong(
                            slot, random.nextInt(3) == 0 ? random.nextInt(5) * 50 : random.nextInt(80_001) - 40_000);
                case DOUBLE -> row.setDouble(slot, (random.nextInt(4001) - 2000) / 16.0);
                case TEXT -> {
                    byte[] text = TEXTS[random.nextInt(TEXTS.length)].getBytes(StandardCharsets.UTF_8);
                    row.setText(slot, text, 0, text.length);
                }
                case BOOLEAN -> row.setLong(slot, random.nextInt(2));
                default -> row.setLong(slot, 946_684_800_000L + random.nextInt(1_000_000) * 900_500L);
            }
        }
        return row;
    }

    private static String insert(int number, RecordRow row) {
        StringBuilder sql = new StringBuilder("insert into rows values (" + number);
        for (int slot = 0; slot < SCHEMA.size(); slot++) {
            Object value = row.value(slot);
            FieldType type = SCHEMA.fields().get(slot).type();
            sql.append(", ");
            if (value == null) {
                sql.append("null");
            } else if (type == FieldType.TEXT) {
                sql.append(SqlText.literal((String) value));
            } else if (type == FieldType.DECIMAL) {
                sql.append(BigDecimal.valueOf(
                                (long) value, SCHEMA.fields().get(slot).scale())
                        .toPlainString());
            } else if (type == FieldType.BOOLEAN) {
                sql.append((long) value == 1);
            } else if (type == FieldType.TIME) {
                sql.append("make_timestamptz(").append((long) value * 1000).append(")");
            } else {
                sql.append(value);
            }
        }
        return sql.append(")").toString();
    }

    /** Returns what DuckDB makes of an expression in each row; an error as its message. */
    private static List<Object> asked(String expression, FieldType type) throws SQLException {
        String column = type == FieldType.TIME ? "epoch_ms(" + expression + ")" : "(" + expression + ")";
        List<Object> values = new ArrayList<>();
        try (Statement statement = duckDb.createStatement();
                ResultSet result = statement.executeQuery("select " + column + " from rows order by n")) {
            while (result.next()) {
                values.add(result.getObject(1));
            }
        }
        return values;
    }

    private static List<Object> computed(Expression expression) {
        List<Object> values = new ArrayList<>();
        ExpressionValue value = new ExpressionValue();
        for (RecordRow row : ROWS_OF_TABLE) {
            expression.evaluate(row, value);
            values.add(
                    !value.present
                            ? null
                            : switch (expression.type()) {
                                case TEXT -> value.string();
                                case DOUBLE -> value.real;
                                case DECIMAL -> BigDecimal.valueOf(value.whole, expression.scale());
                                case BOOLEAN -> value.whole == 1;
                                default -> value.whole;
                            });
        }
        return values;
    }

    /** Returns how the values of the two differ; null if they do not. */
    private static String difference(String text) throws SQLException {
        Expression expression = Expressions.expression(text, SCHEMA);
        List<Object> actual;
        List<Object> expected;
        try {
            actual = computed(expression);
        } catch (RejectedRecordException e) {
            return refuses(text, expression.type()) ? null : "refused: " + e.getMessage();
        }
        expected = asked(text, expression.type());
        for (int i = 0; i < ROWS; i++) {
            if (!same(actual.get(i), expected.get(i))) {
                return text + " in row " + i + ": " + actual.get(i) + ", DuckDB " + expected.get(i) + " of "
                        + insert(i, ROWS_OF_TABLE.get(i));
            }
        }
        return null;
    }

    private static boolean refuses(String text, FieldType type) throws SQLException {
        try {
            asked(text, type);
            return false;
        } catch (SQLException e) {
            return true;
        }
    }

    private static boolean same(Object actual, Object expected) {
        if (actual == null || expected == null) {
            boolean isNumber = expected instanceof Double number && !Double.isFinite(number);
            return actual == expected || actual == null && isNumber;
        }
        if (actual instanceof Double || expected instanceof Double) {
            double a = ((Number) actual).doubleValue();
            double b = ((Number) expected).doubleValue();
            return a == b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
        }
        return actual instanceof Long whole
                ? expected instanceof Number n && n.longValue() == whole
                : actual.equals(expected);
    }

    @Test
    void shouldGiveWhatDuckDbGives() {
        assertThat(differences(LISTED)).isEmpty();
    }

    @Test
    void shouldGiveWhatDuckDbGivesForRandomExpressions() {
        RandomSql random = new RandomSql(new Random(7));
        List<String> texts = Stream.generate(random::any).limit(STATEMENTS).toList();

        assertThat(differences(texts)).isEmpty();
    }

    private static List<String> differences(List<String> texts) {
        List<String> differences = new ArrayList<>();
        for (String text : texts) {
            try {
                String difference = difference(text);
                if (difference != null) {
                    differences.add(difference);
                }
            } catch (SQLException | ExpressionException e) {
                differences.add(
                        text + " fails: " + e.getMessage().lines().findFirst().orElse(""));
            }
        }
        return differences;
    }

    private static final List<String> LISTED = List.of(
            "a + b * 2 - 3",
            "a / nullif(b, 0)",
            "a // nullif(b, 0)",
            "a % nullif(b, 0)",
            "-a % 7",
            "x % 2.5e0",
            "-x",
            "+a",
            "a between b and 10",
            "x not between y and 10",
            "a in (1, 2, b)",
            "a not in (1, null)",
            "s in ('a', 'ab', u)",
            "s in ('a', 'ab') and a > 1 or b not in (1, 2) and not (p or q)",
            "a + 1 in (2, 3) or x between 1 and 2 and a in (1, b)",
            "not a in (1, 2) and p",
            "case when a in (1, 2) and p then 1 else 2 end",
            "- -a",
            "-(-a)",
            "- - -abs(a)",
            "s like 'a%'",
            "s like '_b%'",
            "s not like '%b%'",
            "s like '%ü'",
            "s like '___'",
            "s ilike 'ABC%'",
            "s like '!%!_%' escape '!'",
            "s like u",
            "s ~ '[a-z]+'",
            "s !~ '[a-z]+'",
            "regexp_matches(s, '[0-9]')",
            "regexp_matches(s, 'B', 'i')",
            "regexp_full_match(s, '[a-z]*')",
            "regexp_extract(s, '([a-zA-Z]+)-([0-9]+)', 2)",
            "regexp_extract(s, '[a-z]+')",
            "regexp_replace(s, '[a-c]', '<\\0>')",
            "regexp_replace(s, '([a-c])', '<\\1>', 'g')",
            "case when a > 0 then 'plus' when a < 0 then 'minus' else s end",
            "case a when 1 then x when 2 then y end",
            "case when p then a else x end",
            "coalesce(a, b, 0)",
            "coalesce(s, 'none')",
            "ifnull(x, y)",
            "nullif(s, 'a')",
            "if(p, a, b)",
            "greatest(a, b, 3)",
            "least(x, y)",
            "greatest(s, u)",
            "a is null",
            "s is not null",
            "a is distinct from b",
            "s is not distinct from u",
            "p is true",
            "p is not false",
            "p and q or not p",
            "not (p or q)",
            "p = q",
            "s || '/' || u",
            "s || a",
            "concat(s, a, p)",
            "concat_ws('-', s, u, a)",
            "lower(s)",
            "upper(s)",
            "length(s)",
            "strlen(s)",
            "left(s, 2)",
            "left(s, -1)",
            "right(s, 2)",
            "right(s, -1)",
            "substring(s, 2)",
            "substring(s, 2, 2)",
            "substring(s, -2, 1)",
            "substring(s, 0, 2)",
            "substring(s, 2, -1)",
            "substring(s from 2 for 1)",
            "replace(s, 'b', 'XY')",
            "replace(s, '', 'X')",
            "split_part(s, ',', 2)",
            "split_part(s, ',', -1)",
            "split_part(s, ',', 9)",
            "split_part(s, ',', 3)",
            "lpad(s, 4, '*')",
            "rpad(s, 4, 'xy')",
            "repeat(s, 2)",
            "trim(s)",
            "trim(s, 'ab')",
            "ltrim(s)",
            "rtrim(s, ' c')",
            "trim(both 'a' from s)",
            "trim(leading 'a' from s)",
            "strpos(s, 'b')",
            "position('b' in s)",
            "contains(s, 'b')",
            "starts_with(s, 'a')",
            "ends_with(s, 'c')",
            "abs(a)",
            "abs(x)",
            "round(x)",
            "round(x, 1)",
            "round(x, -1)",
            "floor(x)",
            "ceil(x)",
            "trunc(x)",
            "sqrt(abs(x))",
            "exp(x / 1000)",
            "ln(abs(x) + 1)",
            "log10(abs(x) + 1)",
            "log2(abs(x) + 1)",
            "pow(x, 2)",
            "sign(x)",
            "mod(a, 7)",
            "year(t)",
            "quarter(t)",
            "month(t)",
            "day(t)",
            "hour(t)",
            "minute(t)",
            "second(t)",
            "millisecond(t)",
            "dayofweek(t)",
            "isodow(t)",
            "dayofyear(t)",
            "week(t)",
            "epoch(t)",
            "epoch_ms(t)",
            "date_part('hour', t)",
            "extract(month from t)",
            "date_trunc('year', t)",
            "date_trunc('quarter', t)",
            "date_trunc('month', t)",
            "date_trunc('week', t)",
            "date_trunc('day', t)",
            "date_trunc('hour', t)",
            "date_trunc('minute', t)",
            "date_trunc('second', t)",
            "date_diff('year', t, v)",
            "date_diff('month', t, v)",
            "date_diff('week', t, v)",
            "date_diff('day', t, v)",
            "date_diff('hour', t, v)",
            "time_bucket(interval 15 minute, t)",
            "time_bucket(interval '7 days', t)",
            "t + interval 1 month",
            "t - interval '1 year 2 days'",
            "interval 90 minutes + t",
            "t > timestamptz '2010-01-01 00:00:00+00'",
            "t between '2005-01-01' and '2020-01-01'",
            "hour(t at time zone 'Europe/Berlin')",
            "date_trunc('day', t at time zone 'America/New_York')",
            "date_trunc('day', t at time zone 'America/New_York') at time zone 'America/New_York'",
            "strftime(t, '%Y-%m-%d %H:%M:%S %j %a %B %p %I')",
            "strftime(t at time zone 'Asia/Kolkata', '%d/%m/%y %H:%M')",
            "cast(a as double)",
            "cast(x as bigint)",
            "cast(a as varchar)",
            "cast(x as varchar)",
            "cast(p as varchar)",
            "cast(t as varchar)",
            "cast(t at time zone 'Europe/Berlin' as varchar)",
            "cast(t as date)",
            "cast(a as boolean)",
            "cast(p as integer)",
            "try_cast(s as bigint)",
            "try_cast(s as double)",
            "try_cast(s as boolean)",
            "try_cast(s as timestamp)",
            "try_cast(a * 1000000000000 as integer)",
            "a::double / 2",
            "x::bigint::varchar",
            "cast(s as bigint)",
            "d + e",
            "d - a",
            "a - e",
            "d * e",
            "d * d * d",
            "a * d",
            "d * 1.25",
            "1.5 - d",
            "d * -0.5",
            "d % 0.75",
            "e % nullif(d, 0)",
            "d % nullif(a, 0)",
            "d / 3",
            "d / nullif(e, 0)",
            "d + x",
            "x * d",
            "d * 1.5e0",
            "-d",
            "- -d",
            "abs(e)",
            "round(e, 2)",
            "round(e, 3)",
            "round(e, 9)",
            "round(d)",
            "round(d, -1)",
            "round(d, -2)",
            "round(coalesce(d, 1), -20)",
            "floor(e)",
            "ceil(e)",
            "trunc(e)",
            "sign(d)",
            "sqrt(abs(d))",
            "pow(d, 2)",
            "d = e",
            "d > a",
            "d <= x",
            "d = 0.5",
            "a > 1.5",
            "a = 2.0",
            "a in (1.5, 2.0, d)",
            "d in (1, 1.5, e)",
            "e not in (d, 0.5, null)",
            "d between a and 10.5",
            "a between 1.5 and e",
            "d is distinct from e",
            "a is not distinct from d",
            "coalesce(d, a, 0)",
            "coalesce(d, 0.125)",
            "coalesce(d, x)",
            "nullif(d, e)",
            "nullif(d, 0)",
            "greatest(d, e, a)",
            "least(d, 1.125)",
            "if(p, d, a)",
            "case when p then d else e end",
            "case when p then d end",
            "case d when 0.5 then 'half' when e then 'e' when a then 'a' end",
            "d || '/' || e",
            "concat(s, d)",
            "cast(d as varchar)",
            "cast(e as bigint)",
            "cast(e as double)",
            "cast(d as boolean)",
            "try_cast(d * 100000 as integer)",
            "cast(e as decimal(18, 2))",
            "cast(e as decimal(9, 1))",
            "try_cast(d as decimal(4, 2))",
            "try_cast(e as decimal(3))",
            "cast(a as decimal(10, 2))",
            "a::decimal",
            "a::numeric",
            "a::decimal(18, 4) / 3",
            "x::decimal(10, 2)",
            "try_cast(x as decimal(4, 3))",
            "(a / 7)::decimal(10, 3)",
            "p::decimal(3, 1)",
            "try_cast(s as decimal(10, 2))",
            "try_cast(s as decimal(2, 0))",
            "try_cast(s as decimal(3, 1))",
            "try_cast('1.005' as decimal(10, 2))",
            "try_cast('-1.005' as decimal(10, 2))",
            "try_cast('1.0049999' as decimal(10, 2))",
            "try_cast('9.999' as decimal(3, 2))",
            "try_cast('123456789012345678' as decimal(18, 0))",
            "try_cast('1234567890123456789' as decimal(18, 0))",
            "try_cast('0.1234567890123456789' as decimal(18, 18))",
            "try_cast('15e-1' as decimal(5, 1))",
            "try_cast(' .5 ' as decimal(5, 1))",
            "1.005::decimal(10, 2)",
            "2.50::varchar",
            "2.5::bigint",
            "cast(s as decimal(10, 2))",
            "d + null",
            "null",
            "a + null",
            "s = null",
            "case when a > 100 then 1 end");
}
