package io.updraft.timeseries.expression;

import static io.updraft.timeseries.record.FieldType.BOOLEAN;
import static io.updraft.timeseries.record.FieldType.DOUBLE;
import static io.updraft.timeseries.record.FieldType.LONG;
import static io.updraft.timeseries.record.FieldType.TEXT;
import static io.updraft.timeseries.record.FieldType.TIME;

import com.google.re2j.Pattern;
import io.updraft.timeseries.record.FieldType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;

/**
 * The functions of expressions, by their names in SQL. Those whose arguments have fixed types are in a table; each letter of their
 * parameters is a type: {@code s} text, {@code i} whole number, {@code n} number, {@code t} time, {@code b} boolean; those after
 * {@code ?} may be left out.
 */
final class Functions {

    private record Plain(String parameters, FieldType type, Function<List<Expression>, Expression> maker) {}

    private static final Map<String, Plain> TABLE = new TreeMap<>();

    /** The functions that {@link FunctionCalls} makes, which need literals or take values of several types. */
    static final List<String> OTHERS = List.of(
            "abs",
            "coalesce",
            "concat",
            "concat_ws",
            "date_diff",
            "date_part",
            "date_trunc",
            "extract",
            "greatest",
            "if",
            "ifnull",
            "least",
            "nullif",
            "regexp_extract",
            "regexp_full_match",
            "regexp_matches",
            "regexp_replace",
            "strftime",
            "time_bucket");

    static {
        text("lower", "s", all -> Texts.cased(false, all.get(0)));
        alias("lcase", "lower");
        text("upper", "s", all -> Texts.cased(true, all.get(0)));
        alias("ucase", "upper");
        add("length", "s", LONG, all -> Expression.of(LONG, all.get(0), v -> v.whole(Texts.length(v))));
        alias("len", "length");
        alias("char_length", "length");
        alias("character_length", "length");
        add("strlen", "s", LONG, all -> Expression.of(LONG, all.get(0), v -> v.whole(v.length)));
        text("left", "si", all -> pair(TEXT, all, (text, count) -> Texts.left(text, count.whole)));
        text("right", "si", all -> pair(TEXT, all, (text, count) -> Texts.right(text, count.whole)));
        text("substring", "si?i", Functions::substring);
        alias("substr", "substring");
        // So that the parser does not take it for its own.
        alias("sql_substring", "substring");
        text("replace", "sss", all -> Expression.of(TEXT, all, Texts.replacing()));
        text(
                "split_part",
                "ssi",
                all -> Expression.of(TEXT, all, (v, result) -> {
                    result.copy(v[0]);
                    Texts.split(result, v[1], v[2].whole);
                }));
        text("lpad", "sis", all -> Expression.of(TEXT, all, Texts.padded(true)));
        text("rpad", "sis", all -> Expression.of(TEXT, all, Texts.padded(false)));
        text("repeat", "si", all -> pair(TEXT, all, Texts.repeated()));
        text("trim", "s?s", all -> trimmed(all, true, true));
        text("ltrim", "s?s", all -> trimmed(all, true, false));
        text("rtrim", "s?s", all -> trimmed(all, false, true));
        add("strpos", "ss", LONG, all -> pair(LONG, all, (text, part) -> text.whole(Texts.position(text, part))));
        alias("instr", "strpos");
        truth("contains", (text, part) -> Texts.indexOf(text, part, 0) >= 0);
        truth("starts_with", Texts::startsWith);
        alias("prefix", "starts_with");
        truth("ends_with", Texts::endsWith);
        alias("suffix", "ends_with");
        number("floor", Math::floor);
        number("ceil", Math::ceil);
        alias("ceiling", "ceil");
        number("trunc", x -> x < 0 ? Math.ceil(x) : Math.floor(x));
        number("sqrt", Math::sqrt);
        number("exp", Math::exp);
        number("ln", Math::log);
        number("log", Math::log10);
        alias("log10", "log");
        number("log2", x -> Math.log(x) / Math.log(2));
        add(
                "pow",
                "nn",
                DOUBLE,
                all -> pair(DOUBLE, all, (x, y) -> ArithmeticExpressions.real(x, Math.pow(x.real, y.real))));
        alias("power", "pow");
        add(
                "round",
                "n?i",
                DOUBLE,
                all -> all.size() == 1
                        ? Expression.of(DOUBLE, all.get(0), x -> x.real = ArithmeticExpressions.rounded(x.real, 0))
                        : pair(
                                DOUBLE,
                                all,
                                (x, digits) -> x.real = ArithmeticExpressions.rounded(x.real, digits.whole)));
        add("sign", "n", LONG, all -> Expression.of(LONG, all.get(0), x -> x.whole((long) Math.signum(x.real))));
        truth("isnan", x -> false);
        for (CivilTime.Part part : CivilTime.Part.values()) {
            if (part != CivilTime.Part.DOW && part != CivilTime.Part.DOY && part != CivilTime.Part.EPOCH) {
                part(part.name().toLowerCase(java.util.Locale.ROOT), part);
            }
        }
        part("dayofmonth", CivilTime.Part.DAY);
        part("dayofweek", CivilTime.Part.DOW);
        part("weekday", CivilTime.Part.DOW);
        part("dayofyear", CivilTime.Part.DOY);
        part("weekofyear", CivilTime.Part.WEEK);
        add("epoch_ms", "t", LONG, all -> Expression.of(LONG, all.get(0), t -> {}));
        add("epoch", "t", DOUBLE, all -> Expression.of(DOUBLE, all.get(0), t -> t.real = t.whole / 1000.0));
        add("make_timestamp_ms", "i", TIME, all -> Expression.of(TIME, all.get(0), t -> {}));
        add(
                "to_timestamp",
                "n",
                TIME,
                all -> Expression.of(TIME, all.get(0), t -> t.whole((long) Math.floor(t.real * 1000))));
    }

    private Functions() {}

    private interface TextTest {
        boolean test(ExpressionValue text, ExpressionValue part);
    }

    private static void add(
            String name, String parameters, FieldType type, Function<List<Expression>, Expression> maker) {
        TABLE.put(name, new Plain(parameters, type, maker));
    }

    private static void alias(String name, String other) {
        TABLE.put(name, TABLE.get(other));
    }

    private static void text(String name, String parameters, Function<List<Expression>, Expression> maker) {
        add(name, parameters, TEXT, maker);
    }

    private static void truth(String name, TextTest test) {
        add(name, "ss", BOOLEAN, all -> pair(BOOLEAN, all, (text, part) -> text.truth(test.test(text, part))));
    }

    private static void truth(String name, DoublePredicate test) {
        add(name, "n", BOOLEAN, all -> Expression.of(BOOLEAN, all.get(0), x -> x.truth(test.test(x.real))));
    }

    private static void number(String name, DoubleUnaryOperator function) {
        add(
                name,
                "n",
                DOUBLE,
                all -> Expression.of(
                        DOUBLE, all.get(0), x -> ArithmeticExpressions.real(x, function.applyAsDouble(x.real))));
    }

    private static void part(String name, CivilTime.Part part) {
        add(name, "t", LONG, all -> partOf(part, all.get(0)));
    }

    static Expression partOf(CivilTime.Part part, Expression time) {
        CivilTime civil = new CivilTime();
        return Expression.of(LONG, time, t -> t.whole(civil.part(part, t.whole)));
    }

    private static Expression pair(FieldType type, List<Expression> two, Expression.Pair pair) {
        return Expression.of(type, two.get(0), two.get(1), pair);
    }

    private static Expression substring(List<Expression> all) {
        return all.size() == 2
                ? pair(TEXT, all, (text, from) -> Texts.part(text, from.whole, Integer.MAX_VALUE))
                : Expression.of(TEXT, all, (v, result) -> {
                    result.copy(v[0]);
                    Texts.part(result, v[1].whole, v[2].whole);
                });
    }

    private static Expression trimmed(List<Expression> all, boolean left, boolean right) {
        List<Expression> two = new ArrayList<>(all);
        if (two.size() == 1) {
            two.add(new Expression.Literal(TEXT, " "));
        }
        return pair(TEXT, two, (text, characters) -> Texts.trim(text, characters, left, right));
    }

    /** Returns the names of all functions. */
    static List<String> names() {
        List<String> names = new ArrayList<>(TABLE.keySet());
        names.remove("sql_substring");
        names.addAll(OTHERS);
        names.sort(null);
        return names;
    }

    /**
     * Makes a call of a function of the table.
     *
     * @param wrong takes what is wrong with the arguments, and throws
     * @return null if there is no such function
     */
    static Expression call(String name, List<Expression> arguments, Function<String, RuntimeException> wrong) {
        Plain function = TABLE.get(name);
        if (function == null) {
            return null;
        }
        String types = function.parameters.replace("?", "");
        int least = function.parameters.contains("?") ? function.parameters.indexOf('?') : types.length();
        if (arguments.size() < least || arguments.size() > types.length()) {
            String shown = name.equals("sql_substring") ? "substring" : name;
            String wanted = least == types.length() ? "" + least : least + " or " + types.length();
            throw wrong.apply(shown + " takes " + wanted + (types.length() == 1 ? " argument" : " arguments") + ", not "
                    + arguments.size());
        }
        List<Expression> typed = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            typed.add(argument(name, types.charAt(i), arguments.get(i), wrong));
        }
        return function.maker.apply(typed);
    }

    private static Expression argument(
            String name, char letter, Expression argument, Function<String, RuntimeException> wrong) {
        FieldType type = switch (letter) {
            case 's' -> TEXT;
            case 'i' -> LONG;
            case 'n' -> DOUBLE;
            case 't' -> TIME;
            default -> BOOLEAN;
        };
        if (argument.isNull()) {
            return Expression.none(type);
        }
        boolean fits = argument.type() == type || letter == 'n' && argument.isNumber();
        if (!fits) {
            String wanted = letter == 'i' ? "a whole number" : Expressions.named(type);
            throw wrong.apply(name + " takes " + wanted + ", but this is " + Expressions.named(argument.type()));
        }
        return letter == 'n' ? argument.widened() : argument;
    }

    /** Returns an expression of a pattern in the syntax of {@code strftime}; null if it has a letter that is not known. */
    static Expression formatted(Expression time, String format) {
        if (!Strftime.isKnown(format)) {
            return null;
        }
        Strftime strftime = new Strftime(format.getBytes(StandardCharsets.UTF_8));
        return Expression.of(TEXT, time, strftime::write);
    }

    static Pattern regex(String pattern, String options, Function<String, RuntimeException> wrong) {
        int flags = 0;
        for (char option : options.toCharArray()) {
            flags |= switch (option) {
                case 'i' -> Pattern.CASE_INSENSITIVE;
                case 's' -> Pattern.DOTALL;
                case 'm', 'n', 'p' -> Pattern.MULTILINE;
                case 'c', 'g' -> 0;
                default -> throw wrong.apply("'" + option + "' is not an option of regular expressions");
            };
        }
        return Patterns.compile(pattern, flags, message -> {
            throw wrong.apply(message);
        });
    }
}
