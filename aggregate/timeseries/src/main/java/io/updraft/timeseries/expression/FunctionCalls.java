package io.updraft.timeseries.expression;

import com.google.re2j.Pattern;
import io.updraft.timeseries.record.FieldType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import net.sf.jsqlparser.expression.IntervalExpression;
import net.sf.jsqlparser.expression.TrimFunction;
import net.sf.jsqlparser.expression.operators.relational.RegExpMatchOperator;

/** Compiles calls of functions that take literals, or values of several types; {@link Functions} has all others. */
final class FunctionCalls {

    private final SqlCompiler compiler;

    FunctionCalls(SqlCompiler compiler) {
        this.compiler = compiler;
    }

    Expression call(net.sf.jsqlparser.expression.Function function) {
        String name = function.getName().toLowerCase(Locale.ROOT);
        List<net.sf.jsqlparser.expression.Expression> sql = new ArrayList<>();
        if (function.getParameters() != null) {
            sql.addAll(function.getParameters());
        }
        if (name.equals("time_bucket")) {
            return bucket(sql);
        }
        List<Expression> arguments = new ArrayList<>();
        sql.forEach(each -> arguments.add(compiler.compile(each)));
        Expression decimal = ofDecimal(name, arguments);
        if (decimal != null) {
            return decimal;
        }
        Expression plain = Functions.call(name, arguments, compiler::wrong);
        return plain == null ? special(name, arguments) : plain;
    }

    /** Returns a function of a DECIMAL whose result is one; null if there is no such function. */
    private Expression ofDecimal(String name, List<Expression> arguments) {
        if (arguments.isEmpty() || arguments.get(0).type() != FieldType.DECIMAL) {
            return null;
        }
        Expression first = arguments.get(0);
        if (arguments.size() == 1) {
            return switch (name) {
                case "round" -> ArithmeticExpressions.rounded(first, 0);
                case "floor" -> ArithmeticExpressions.whole(first, Math::floorDiv);
                case "ceil", "ceiling" -> ArithmeticExpressions.whole(first, (x, unit) -> -Math.floorDiv(-x, unit));
                case "trunc" -> ArithmeticExpressions.whole(first, (x, unit) -> x / unit);
                case "abs" -> Expression.of(FieldType.DECIMAL, first.scale(), first, x -> x.whole = Math.abs(x.whole));
                default -> null;
            };
        }
        boolean isFixed = name.equals("round")
                && arguments.size() == 2
                && arguments.get(1) instanceof Expression.Literal literal
                && literal.constant instanceof Long;
        return isFixed
                ? ArithmeticExpressions.rounded(first, (Long) ((Expression.Literal) arguments.get(1)).constant)
                : null;
    }

    private Expression special(String name, List<Expression> arguments) {
        return switch (name) {
            case "abs" -> abs(arguments);
            case "coalesce", "ifnull" -> {
                count(name, arguments, name.equals("ifnull") ? 2 : 1, name.equals("ifnull") ? 2 : 1_000);
                yield ArithmeticExpressions.fitting(ConditionExpressions.first(compiler.alike(arguments, name)));
            }
            case "nullif" -> nullif(arguments);
            case "if" -> {
                count(name, arguments, 3, 3);
                yield ArithmeticExpressions.fitting(ConditionExpressions.choice(
                        List.of(truth(arguments.get(0))), compiler.alike(arguments.subList(1, 3), name)));
            }
            case "greatest", "least" -> {
                count(name, arguments, 1, 1_000);
                yield ArithmeticExpressions.fitting(
                        ConditionExpressions.extreme(name.equals("greatest"), compiler.alike(arguments, name)));
            }
            case "concat" -> {
                count(name, arguments, 1, 1_000);
                yield Texts.concatenated(texts(arguments), true, null);
            }
            case "concat_ws" -> {
                count(name, arguments, 2, 1_000);
                List<Expression> texts = texts(arguments);
                yield Texts.concatenated(texts.subList(1, texts.size()), true, texts.get(0));
            }
            case "mod" -> {
                count(name, arguments, 2, 2);
                yield compiler.computed("%", arguments.get(0), arguments.get(1));
            }
            case "exists" -> {
                count(name, arguments, 1, 1);
                yield ConditionExpressions.exists(arguments.get(0));
            }
            case "date_trunc", "datetrunc" -> truncated(arguments);
            case "date_part", "datepart" -> {
                count(name, arguments, 2, 2);
                yield extract(literal(name, arguments.get(0)), arguments.get(1));
            }
            case "date_diff", "datediff" -> difference(arguments);
            case "strftime" -> formatted(arguments);
            case "truncate" -> oldTruncate(arguments);
            case "regexp_matches", "regexp_full_match" -> matches(name, arguments);
            case "regexp_extract" -> extracted(arguments);
            case "regexp_replace" -> replaced(arguments);
            default ->
                throw compiler.wrong("there is no function " + name + Expressions.instead(name, Functions.names()));
        };
    }

    private void count(String name, List<Expression> arguments, int least, int most) {
        if (arguments.size() < least || arguments.size() > most) {
            String wanted = least == most ? "" + least : least + " or more";
            throw compiler.wrong(name + " takes " + wanted + (wanted.equals("1") ? " argument" : " arguments")
                    + ", not " + arguments.size());
        }
    }

    private static List<Expression> texts(List<Expression> arguments) {
        List<Expression> texts = new ArrayList<>();
        arguments.forEach(each -> texts.add(SqlCompiler.text(each)));
        return texts;
    }

    private Expression truth(Expression condition) {
        if (condition.type() != FieldType.BOOLEAN) {
            throw compiler.wrong("expected true or false, but this is " + Expressions.named(condition.type()));
        }
        return condition;
    }

    private Expression time(String name, Expression time) {
        if (time.isNull()) {
            return Expression.none(FieldType.TIME);
        }
        if (time.type() != FieldType.TIME) {
            throw compiler.wrong(name + " takes a time, but this is " + Expressions.named(time.type()));
        }
        return time;
    }

    private Expression text(String name, Expression text) {
        if (text.type() != FieldType.TEXT) {
            throw compiler.wrong(name + " takes text, but this is " + Expressions.named(text.type()));
        }
        return text;
    }

    private String literal(String name, Expression argument) {
        if (argument instanceof Expression.Literal literal && literal.constant instanceof String text) {
            return text;
        }
        throw compiler.wrong(name + " takes a text in quotes here, not an expression");
    }

    private CivilTime.Part part(String name, String text) {
        CivilTime.Part part = CivilTime.named(text);
        if (part == null) {
            throw compiler.wrong(name + " does not know '" + text
                    + "'; the parts are year, quarter, month, week, day, hour, minute, second and millisecond");
        }
        return part;
    }

    Expression extract(String name, Expression time) {
        return Functions.partOf(part("date_part", name), time("date_part", time));
    }

    private Expression abs(List<Expression> arguments) {
        count("abs", arguments, 1, 1);
        Expression number = arguments.get(0);
        if (number.type() == FieldType.LONG) {
            return Expression.of(FieldType.LONG, number, x -> {
                x.present = x.whole != Long.MIN_VALUE;
                x.whole = Math.abs(x.whole);
            });
        }
        if (number.type() != FieldType.DOUBLE) {
            throw compiler.wrong("abs takes a number, but this is " + Expressions.named(number.type()));
        }
        return Expression.of(FieldType.DOUBLE, number, x -> x.real = Math.abs(x.real));
    }

    private Expression nullif(List<Expression> arguments) {
        count("nullif", arguments, 2, 2);
        List<Expression> two = compiler.typed(arguments, false, "nullif");
        Expression first = two.get(0);
        return ConditionExpressions.choice(
                List.of(ConditionExpressions.compared("=", first, two.get(1))),
                List.of(Expression.none(first.type(), first.scale()), first));
    }

    private Expression truncated(List<Expression> arguments) {
        count("date_trunc", arguments, 2, 2);
        CivilTime.Part part = part("date_trunc", literal("date_trunc", arguments.get(0)));
        Expression time = time("date_trunc", arguments.get(1));
        if (part.compareTo(CivilTime.Part.MILLISECOND) > 0) {
            throw compiler.wrong("date_trunc has no start of '" + literal("date_trunc", arguments.get(0)) + "'");
        }
        CivilTime civil = new CivilTime();
        Expression truncated = Expression.of(FieldType.TIME, time, t -> t.whole = civil.truncated(part, t.whole));
        return time.isLocal() ? truncated.local() : truncated;
    }

    private Expression difference(List<Expression> arguments) {
        count("date_diff", arguments, 3, 3);
        CivilTime.Part part = part("date_diff", literal("date_diff", arguments.get(0)));
        CivilTime civil = new CivilTime();
        return Expression.of(
                FieldType.LONG,
                time("date_diff", arguments.get(1)),
                time("date_diff", arguments.get(2)),
                (from, to) -> from.whole = civil.difference(part, from.whole, to.whole));
    }

    private Expression formatted(List<Expression> arguments) {
        count("strftime", arguments, 2, 2);
        String format = literal("strftime", arguments.get(1));
        Expression formatted = Functions.formatted(time("strftime", arguments.get(0)), format);
        if (formatted == null) {
            throw compiler.wrong("strftime does not know the format '" + format + "'");
        }
        return formatted;
    }

    private Expression bucket(List<net.sf.jsqlparser.expression.Expression> sql) {
        if (sql.size() != 2 || !(sql.get(0) instanceof IntervalExpression interval)) {
            throw compiler.wrong("time_bucket takes an interval and a time, such as time_bucket(INTERVAL 5 MINUTE, t)");
        }
        Intervals.Interval span = compiler.interval(interval);
        if (span.months() != 0 || span.millis() <= 0) {
            throw compiler.wrong(
                    "time_bucket takes an interval of weeks or shorter; date_trunc knows months and years");
        }
        Expression time = time("time_bucket", compiler.compile(sql.get(1)));
        // As DuckDB, which begins at a Monday.
        long origin = CivilTime.days(2000, 1, 3) * CivilTime.DAY;
        Expression start =
                Expression.of(FieldType.TIME, time, t -> t.whole -= Math.floorMod(t.whole - origin, span.millis()));
        return time.isLocal() ? start.local() : start;
    }

    /** Versions before 0.3 wrote {@code truncate(t, "5m")}. */
    private Expression oldTruncate(List<Expression> arguments) {
        boolean fits = arguments.size() == 2
                && arguments.get(0).type() == FieldType.TIME
                && arguments.get(1) instanceof Expression.Literal literal
                && literal.constant instanceof String;
        String span = fits ? (String) ((Expression.Literal) arguments.get(1)).constant : "";
        Intervals.Interval interval = span.matches("[0-9]{1,9}(ms|s|m|h|d)") ? Intervals.parse(span) : null;
        if (interval == null || interval.millis() == 0) {
            throw compiler.wrong("there is no function truncate of these; write time_bucket(INTERVAL 5 MINUTE, t)");
        }
        return Expression.of(
                FieldType.TIME, arguments.get(0), t -> t.whole -= Math.floorMod(t.whole, interval.millis()));
    }

    private Patterns.Finder finder(String name, Expression pattern, String options) {
        Pattern compiled = Functions.regex(literal(name, pattern), options, compiler::wrong);
        return new Patterns.Finder(compiled);
    }

    private Expression matches(String name, List<Expression> arguments) {
        count(name, arguments, 2, 3);
        String options = arguments.size() == 3 ? literal(name, arguments.get(2)) : "";
        Patterns.Finder finder = finder(name, arguments.get(1), options);
        boolean whole = name.equals("regexp_full_match");
        return Expression.of(
                FieldType.BOOLEAN,
                text(name, arguments.get(0)),
                value -> value.truth(whole ? finder.matches(value) : finder.finds(value)));
    }

    /** The operators {@code ~} and {@code !~}. */
    Expression match(RegExpMatchOperator match) {
        String operator = match.getStringExpression();
        Patterns.Finder finder = finder(
                "'" + operator + "'", compiler.compile(match.getRightExpression()), operator.endsWith("*") ? "i" : "");
        Expression matches = Expression.of(
                FieldType.BOOLEAN,
                compiler.textOf(match.getLeftExpression(), "'" + operator + "'"),
                value -> value.truth(finder.finds(value)));
        return operator.startsWith("!") ? ConditionExpressions.not(matches) : matches;
    }

    private Expression extracted(List<Expression> arguments) {
        count("regexp_extract", arguments, 2, 3);
        Patterns.Finder finder = finder("regexp_extract", arguments.get(1), "");
        int group = 0;
        if (arguments.size() == 3) {
            Object number = arguments.get(2) instanceof Expression.Literal literal ? literal.constant : null;
            int groups = Functions.regex(literal("regexp_extract", arguments.get(1)), "", compiler::wrong)
                    .groupCount();
            if (!(number instanceof Long whole) || whole < 0 || whole > groups) {
                throw compiler.wrong("regexp_extract takes the number of a group here, from 0 to " + groups);
            }
            group = whole.intValue();
        }
        int wanted = group;
        return Expression.of(
                FieldType.TEXT, text("regexp_extract", arguments.get(0)), value -> finder.extract(value, wanted));
    }

    private Expression replaced(List<Expression> arguments) {
        count("regexp_replace", arguments, 3, 4);
        String options = arguments.size() == 4 ? literal("regexp_replace", arguments.get(3)) : "";
        Patterns.Finder finder = finder("regexp_replace", arguments.get(1), options);
        String replacement = Patterns.replacement(literal("regexp_replace", arguments.get(2)));
        boolean all = options.contains("g");
        return Expression.of(
                FieldType.TEXT,
                text("regexp_replace", arguments.get(0)),
                value -> finder.replace(value, replacement, all));
    }

    Expression trim(TrimFunction trim) {
        boolean hasFrom = trim.getFromExpression() != null;
        List<Expression> arguments = new ArrayList<>();
        if (trim.getExpression() != null && hasFrom && trim.isUsingFromKeyword()) {
            arguments.add(compiler.compile(trim.getFromExpression()));
            arguments.add(compiler.compile(trim.getExpression()));
        } else {
            arguments.add(compiler.compile(
                    hasFrom && trim.getExpression() == null ? trim.getFromExpression() : trim.getExpression()));
            if (hasFrom && trim.getExpression() != null) {
                arguments.add(compiler.compile(trim.getFromExpression()));
            }
        }
        String side = trim.getTrimSpecification() == null
                ? "BOTH"
                : trim.getTrimSpecification().name();
        return Functions.call(
                side.equals("LEADING") ? "ltrim" : side.equals("TRAILING") ? "rtrim" : "trim",
                arguments,
                compiler::wrong);
    }
}
