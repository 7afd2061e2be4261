package io.updraft.timeseries.expression;

import java.util.Random;

/** Makes random expressions of SQL, each of a type, over the columns of {@link SqlOracleTest}. Numbers stay small. */
final class RandomSql {

    private static final String[] PARTS = {"year", "quarter", "month", "week", "day", "hour", "minute", "second"};

    private final Random random;

    RandomSql(Random random) {
        this.random = random;
    }

    String any() {
        return switch (random.nextInt(6)) {
            case 5 -> decimal(3);
            case 0 -> whole(3);
            case 1 -> real(3);
            case 2 -> text(3);
            case 3 -> truth(3);
            default -> time(2);
        };
    }

    private String one(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    String whole(int depth) {
        if (depth == 0) {
            return one("a", "b", "3", "0", "-2", "17");
        }
        int d = depth - 1;
        return switch (random.nextInt(15)) {
            case 14 -> "cast(" + decimal(d) + " as bigint)";
            case 0 -> "(" + whole(d) + one(" + ", " - ") + whole(d) + ")";
            case 1 -> "(" + whole(0) + " * " + whole(0) + ")";
            case 2 -> "(" + whole(d) + one(" // ", " % ") + one("3", "7", "-4", "nullif(a, 0)") + ")";
            case 3 -> "abs(" + whole(d) + ")";
            case 4 -> "length(" + text(d) + ")";
            case 5 -> "case when " + truth(d) + " then " + whole(d) + " else " + whole(d) + " end";
            case 6 -> "coalesce(" + whole(d) + ", " + whole(d) + ")";
            case 7 -> one("greatest(", "least(") + whole(d) + ", " + whole(d) + ")";
            case 8 -> "date_part('" + one(PARTS) + "', " + time(d) + ")";
            case 9 -> "date_diff('" + one(PARTS) + "', " + time(0) + ", " + time(0) + ")";
            case 10 -> "strpos(" + text(d) + ", " + text(0) + ")";
            case 11 -> "try_cast(" + text(d) + " as bigint)";
            case 12 -> "nullif(" + whole(d) + ", " + whole(0) + ")";
            default -> "case " + whole(0) + " when " + whole(0) + " then " + whole(d) + " end";
        };
    }

    String real(int depth) {
        if (depth == 0) {
            return one("x", "y", "2.5e0", "-0.125e0", "1e1");
        }
        int d = depth - 1;
        return switch (random.nextInt(11)) {
            case 9 -> "(" + decimal(d) + " / " + one("3", "1.5", "nullif(e, 0)") + ")";
            case 10 -> "(" + real(d) + one(" + ", " - ", " * ") + decimal(d) + ")";
            case 0 -> "(" + real(d) + one(" + ", " - ", " * ") + real(d) + ")";
            case 1 -> "(" + whole(d) + " / " + one("3", "nullif(b, 0)", "1.5e0") + ")";
            case 2 -> one("floor(", "ceil(", "round(", "abs(", "trunc(") + real(d) + ")";
            case 3 -> "round(" + real(d) + ", 2)";
            case 4 -> "coalesce(" + real(d) + ", " + whole(d) + ")";
            case 5 -> "cast(" + whole(d) + " as double)";
            case 6 -> "if(" + truth(d) + ", " + real(d) + ", " + whole(d) + ")";
            case 7 -> "try_cast(" + text(d) + " as double)";
            default -> one("greatest(", "least(") + real(d) + ", " + real(d) + ")";
        };
    }

    String decimal(int depth) {
        if (depth == 0) {
            return one("d", "e", "a::decimal(9, 3)", "0.125::decimal(9, 3)");
        }
        int d = depth - 1;
        return switch (random.nextInt(11)) {
            case 0 -> "(" + decimal(d) + one(" + ", " - ") + one(decimal(d), whole(0), "1.5", "0.0625") + ")";
            case 1 -> "(" + whole(0) + " - " + decimal(d) + ")";
            case 2 -> "(" + decimal(0) + " * " + one(decimal(0), whole(0), "-1.25") + ")";
            case 3 -> "(" + decimal(d) + " % " + one("7", "0.75", "nullif(d, 0)") + ")";
            case 4 -> one("floor(", "ceil(", "round(", "abs(", "trunc(") + decimal(d) + ")";
            case 5 -> "round(" + decimal(d) + one(", 2)", ", 1)", ", -1)");
            case 6 -> "coalesce(" + decimal(d) + ", " + one(decimal(d), whole(d), "2.5") + ")";
            case 7 -> one("greatest(", "least(") + decimal(d) + ", " + one(decimal(d), whole(d), "-0.5") + ")";
            case 8 -> "if(" + truth(d) + ", " + decimal(d) + ", " + one(decimal(d), whole(d)) + ")";
            case 9 -> "try_cast(" + one(text(d), real(d), whole(d), decimal(d)) + " as decimal(12, 1))";
            default -> "nullif(" + decimal(d) + ", " + one(decimal(d), whole(d), "0.5") + ")";
        };
    }

    String text(int depth) {
        if (depth == 0) {
            return one("s", "u", "'a'", "'b'", "''", "'ü'", "'it''s'");
        }
        int d = depth - 1;
        return switch (random.nextInt(13)) {
            case 12 -> "cast(" + decimal(d) + " as varchar)";
            case 0 -> "(" + text(d) + " || " + text(d) + ")";
            case 1 -> one("lower(", "upper(", "trim(", "ltrim(", "rtrim(") + text(d) + ")";
            case 2 -> one("left(", "right(") + text(d) + ", " + one("0", "1", "2", "-1", "5") + ")";
            case 3 -> "substring(" + text(d) + ", " + one("1", "2", "0", "-2") + ", " + one("1", "2", "9") + ")";
            case 4 -> "replace(" + text(d) + ", " + one("'a'", "'b'", "','") + ", " + text(0) + ")";
            case 5 -> "split_part(" + text(d) + ", " + one("','", "'X'", "'-'") + ", " + one("1", "2", "3", "-1") + ")";
            case 6 -> "concat(" + text(d) + ", " + whole(0) + ", " + text(0) + ")";
            case 7 -> "coalesce(" + text(d) + ", " + text(d) + ")";
            case 8 -> "case when " + truth(d) + " then " + text(d) + " else " + text(0) + " end";
            case 9 -> "cast(" + whole(d) + " as varchar)";
            case 10 -> "strftime(" + time(d) + ", '%Y-%m-%d')";
            default -> one("greatest(", "least(") + text(d) + ", " + text(0) + ")";
        };
    }

    String truth(int depth) {
        if (depth == 0) {
            return one("p", "q", "true", "false");
        }
        int d = depth - 1;
        return switch (random.nextInt(15)) {
            case 12 ->
                "(" + decimal(d) + one(" < ", " = ", " <> ", " >= ") + one(decimal(d), whole(d), real(d), "0.5") + ")";
            case 13 -> "(" + whole(d) + one(" < ", " = ", " > ") + one("0.5", "2.0", decimal(d)) + ")";
            case 14 ->
                "(" + one(decimal(d), whole(0)) + " in (" + decimal(0) + ", 2, " + one("1.5", "null", "e") + "))";
            case 0 ->
                "(" + truth(d) + one(" and ", " or ") + truth(d) + one("", " and q", " or s in ('a', 'b') and p") + ")";
            case 1 -> "(not " + truth(d) + ")";
            case 2 -> "(" + whole(d) + one(" < ", " <= ", " = ", " <> ", " > ", " >= ") + whole(d) + ")";
            case 3 -> "(" + real(d) + one(" < ", " = ", " <> ", " >= ") + real(d) + ")";
            case 4 -> "(" + text(d) + one(" < ", " = ", " <> ", " >= ") + text(d) + ")";
            case 5 -> "(" + time(d) + one(" < ", " = ", " > ") + time(d) + ")";
            case 6 -> "(" + whole(d) + one(" in (", " not in (") + whole(0) + ", " + one("1", "null", "b") + "))";
            case 7 -> "(" + whole(d) + one(" between ", " not between ") + whole(0) + " and " + whole(0) + ")";
            case 8 ->
                "(" + text(d) + one(" like ", " not like ", " ilike ") + one("'a%'", "'%b'", "'_'", "'%'", "u") + ")";
            case 9 -> "(" + one(whole(d), text(d), real(d), truth(0)) + one(" is null)", " is not null)");
            case 10 -> "(" + whole(d) + one(" is distinct from ", " is not distinct from ") + whole(d) + ")";
            default -> "regexp_matches(" + text(d) + ", " + one("'[a-b]+'", "'^a'", "'[0-9]$'", "'.'") + ")";
        };
    }

    String time(int depth) {
        if (depth == 0) {
            return one("t", "v", "timestamptz '2012-02-29 12:30:00+00'");
        }
        int d = depth - 1;
        return switch (random.nextInt(5)) {
            case 0 -> "date_trunc('" + one(PARTS) + "', " + time(d) + ")";
            case 1 ->
                "(" + time(d) + one(" + ", " - ") + "interval " + one("1 month", "90 minute", "1 year", "3 day") + ")";
            case 2 -> "coalesce(" + time(d) + ", " + time(d) + ")";
            case 3 -> "case when " + truth(d) + " then " + time(d) + " end";
            default -> one("greatest(", "least(") + time(d) + ", " + time(d) + ")";
        };
    }
}
