package io.updraft.timeseries.expression;

import io.updraft.timeseries.record.Decimals;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.IsoTime;
import io.updraft.timeseries.record.Schema;
import io.updraft.timeseries.record.TimeFormat;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.BooleanValue;
import net.sf.jsqlparser.expression.CaseExpression;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.DateTimeLiteralExpression;
import net.sf.jsqlparser.expression.DoubleValue;
import net.sf.jsqlparser.expression.ExtractExpression;
import net.sf.jsqlparser.expression.IntervalExpression;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.NotExpression;
import net.sf.jsqlparser.expression.NullValue;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.StringValue;
import net.sf.jsqlparser.expression.TimezoneExpression;
import net.sf.jsqlparser.expression.TrimFunction;
import net.sf.jsqlparser.expression.WhenClause;
import net.sf.jsqlparser.expression.operators.arithmetic.Concat;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.conditional.OrExpression;
import net.sf.jsqlparser.expression.operators.relational.Between;
import net.sf.jsqlparser.expression.operators.relational.ComparisonOperator;
import net.sf.jsqlparser.expression.operators.relational.ExistsExpression;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.IsBooleanExpression;
import net.sf.jsqlparser.expression.operators.relational.IsDistinctExpression;
import net.sf.jsqlparser.expression.operators.relational.IsNullExpression;
import net.sf.jsqlparser.expression.operators.relational.LikeExpression;
import net.sf.jsqlparser.expression.operators.relational.ParenthesedExpressionList;
import net.sf.jsqlparser.expression.operators.relational.RegExpMatchOperator;
import net.sf.jsqlparser.parser.SimpleNode;
import net.sf.jsqlparser.schema.Column;

/** Compiles what the SQL parser has read to typed expressions. For one expression. */
final class SqlCompiler {

    /** SQL's type of decimals, with the most digits and those after the point. */
    private static final Pattern DECIMAL = Pattern.compile(
            "(?:decimal|dec|numeric)\\s*(?:\\(\\s*([0-9]{1,4})\\s*(?:,\\s*([0-9]{1,4})\\s*)?\\))?",
            Pattern.CASE_INSENSITIVE);

    private final String text;
    private final SqlPieces pieces;
    private final Schema schema;
    private final Function<String, String> columns;
    /** The piece that is being compiled. */
    private SqlPieces.Piece piece;

    private final FunctionCalls calls = new FunctionCalls(this);
    /** The place of the innermost expression whose place is known. */
    private int place;

    /**
     * Creates a compiler.
     *
     * @param text the whole text, for messages
     * @param columns returns the exact name of a column that may be written in other case; null if there is none
     */
    SqlCompiler(String text, SqlPieces pieces, Schema schema, Function<String, String> columns) {
        this.text = text;
        this.pieces = pieces;
        this.schema = schema;
        this.columns = columns;
    }

    /** Parses and compiles a piece. */
    Expression compile(int number) {
        SqlPieces.Piece outer = piece;
        piece = pieces.piece(number, columns);
        Expression compiled = compile(SqlParser.parse(text, piece));
        piece = outer;
        return compiled;
    }

    ExpressionException wrong(String message) {
        return new ExpressionException(text, place, message);
    }

    private ExpressionException wrongAt(int at, String message) {
        return new ExpressionException(text, at, message);
    }

    Expression compile(net.sf.jsqlparser.expression.Expression sql) {
        int outer = place;
        place = placeOf(sql);
        Expression compiled = compiled(sql);
        place = outer;
        return compiled;
    }

    /** Returns where an expression begins, as far as the parser says it; else where the one around it does. */
    private int placeOf(net.sf.jsqlparser.expression.Expression sql) {
        SimpleNode node = sql.getASTNode();
        if (node != null && node.jjtGetFirstToken() != null) {
            return piece.place(node.jjtGetFirstToken().absoluteBegin);
        }
        return sql instanceof BinaryExpression binary ? placeOf(binary.getLeftExpression()) : place;
    }

    private Expression compiled(net.sf.jsqlparser.expression.Expression sql) {
        if (sql instanceof Column column) {
            return column(column);
        } else if (sql instanceof LongValue number) {
            return whole(number.getStringValue());
        } else if (sql instanceof DoubleValue number) {
            return real(number.toString());
        } else if (sql instanceof StringValue value) {
            return new Expression.Literal(FieldType.TEXT, unquoted(value));
        } else if (sql instanceof NullValue) {
            return Expression.none(FieldType.TEXT);
        } else if (sql instanceof BooleanValue value) {
            return new Expression.Literal(FieldType.BOOLEAN, value.getValue() ? 1L : 0L);
        } else if (sql instanceof DateTimeLiteralExpression literal) {
            return timeLiteral(literal);
        } else if (sql instanceof SignedExpression signed) {
            return signed(signed);
        } else if (sql instanceof ParenthesedExpressionList<?> list && list.size() == 1) {
            return compile(list.get(0));
        } else if (sql instanceof AndExpression and) {
            return junction(false, and);
        } else if (sql instanceof OrExpression or) {
            return junction(true, or);
        } else if (sql instanceof NotExpression not) {
            return ConditionExpressions.not(bool(not.getExpression()));
        } else if (sql instanceof LikeExpression like) {
            return like(like);
        } else if (sql instanceof RegExpMatchOperator match) {
            return calls.match(match);
        } else if (sql instanceof IsDistinctExpression distinct) {
            List<Expression> two = ConditionExpressions.scaled(typed(both(distinct), true, "'is distinct from'"));
            return ConditionExpressions.distinct(two.get(0), two.get(1), distinct.isNot());
        } else if (sql instanceof ComparisonOperator comparison) {
            return comparison(comparison.getStringExpression(), both(comparison));
        } else if (sql instanceof Concat concat) {
            return concat(concat);
        } else if (sql instanceof BinaryExpression binary) {
            return arithmetic(binary);
        }
        return other(sql);
    }

    private Expression other(net.sf.jsqlparser.expression.Expression sql) {
        if (sql instanceof Between between) {
            return between(between);
        } else if (sql instanceof InExpression in) {
            return in(in);
        } else if (sql instanceof IsNullExpression isNull) {
            Expression exists = ConditionExpressions.exists(compile(isNull.getLeftExpression()));
            return isNull.isNot() ? exists : ConditionExpressions.not(exists);
        } else if (sql instanceof IsBooleanExpression is) {
            Expression truth = ConditionExpressions.isTruth(bool(is.getLeftExpression()), is.isTrue());
            return is.isNot() ? ConditionExpressions.not(truth) : truth;
        } else if (sql instanceof ExistsExpression exists) {
            return ConditionExpressions.exists(compile(exists.getRightExpression()));
        } else if (sql instanceof CaseExpression choice) {
            return choice(choice);
        } else if (sql instanceof CastExpression cast) {
            return cast(cast);
        } else if (sql instanceof ExtractExpression extract) {
            return calls.extract(extract.getName(), compile(extract.getExpression()));
        } else if (sql instanceof TimezoneExpression zone) {
            return inZone(zone);
        } else if (sql instanceof TrimFunction trim) {
            return calls.trim(trim);
        } else if (sql instanceof net.sf.jsqlparser.expression.Function function) {
            return calls.call(function);
        } else if (sql instanceof IntervalExpression) {
            throw wrong("an interval can only be added to a time, or taken from one");
        }
        throw wrong("this is not supported: " + sql);
    }

    private Expression column(Column column) {
        String name = column.getFullyQualifiedName();
        if (name.startsWith("\"")) {
            name = name.substring(1, name.length() - 1).replace("\"\"", "\"");
        }
        int number = SqlPieces.number(name);
        if (number >= 0) {
            return compile(number);
        }
        if (!schema.has(name)) {
            String advice = name.contains("(") ? "" : Expressions.advice(name, schema);
            throw wrong("there is no column " + name + advice);
        }
        int slot = schema.slot(name);
        return Expression.slot(schema.fields().get(slot), slot);
    }

    private Expression whole(String digits) {
        try {
            return new Expression.Literal(FieldType.LONG, Long.valueOf(digits));
        } catch (NumberFormatException e) {
            throw wrong(digits + " is too large");
        }
    }

    private Expression real(String digits) {
        double number = Double.parseDouble(digits);
        if (!Double.isFinite(number)) {
            throw wrong(digits + " is too large");
        }
        // DuckDB has a DECIMAL wherever a point is and no exponent.
        BigDecimal exact = digits.matches("[0-9.]+") ? new BigDecimal(digits) : null;
        boolean fits =
                exact != null && exact.precision() <= Decimals.MAX_DIGITS && exact.scale() <= Decimals.MAX_DIGITS;
        return new Expression.Literal(number, fits ? exact : null);
    }

    private static String unquoted(StringValue value) {
        return value.getValue().replace("''", "'");
    }

    private Expression timeLiteral(DateTimeLiteralExpression literal) {
        String value = literal.getValue();
        if (literal.getType() == DateTimeLiteralExpression.DateTime.TIME || !value.startsWith("'")) {
            throw wrong("write a time as TIMESTAMP '2020-01-31 09:30:00' or DATE '2020-01-31'");
        }
        return time(value.substring(1, value.length() - 1));
    }

    private Expression time(String value) {
        ExpressionValue time = new ExpressionValue();
        time.text(value);
        long millis = IsoTime.parse(time.bytes, 0, time.length, TimeFormat.ISO.zone());
        if (millis == IsoTime.NONE) {
            throw wrong("'" + value + "' is not an ISO 8601 time");
        }
        return new Expression.Literal(FieldType.TIME, millis);
    }

    private Expression signed(SignedExpression signed) {
        boolean minus = signed.getSign() == '-';
        if (minus && signed.getExpression() instanceof LongValue number) {
            return whole("-" + number.getStringValue());
        }
        Expression operand = compile(signed.getExpression());
        if (!operand.isNumber()) {
            throw wrong("'" + signed.getSign() + "' does not apply to " + Expressions.named(operand.type()));
        }
        if (minus && operand.negated() != null) {
            return operand.negated();
        }
        return minus ? computed("-", new Expression.Literal(FieldType.LONG, 0L), operand) : operand;
    }

    private Expression junction(boolean or, BinaryExpression binary) {
        return ConditionExpressions.junction(or, bool(binary.getLeftExpression()), bool(binary.getRightExpression()));
    }

    Expression bool(net.sf.jsqlparser.expression.Expression sql) {
        Expression compiled = compile(sql);
        if (compiled.isNull()) {
            return Expression.none(FieldType.BOOLEAN);
        }
        if (compiled.type() != FieldType.BOOLEAN) {
            throw wrongAt(placeOf(sql), "expected true or false, but this is " + Expressions.named(compiled.type()));
        }
        return compiled;
    }

    private List<Expression> both(BinaryExpression binary) {
        return List.of(compile(binary.getLeftExpression()), compile(binary.getRightExpression()));
    }

    private Expression comparison(String operator, List<Expression> sides) {
        List<Expression> two = typed(sides, true, "'" + operator + "'");
        if (two.get(0).type() == FieldType.BOOLEAN && !operator.equals("=") && !operator.equals("<>")) {
            throw wrong("true and false have no order");
        }
        return ConditionExpressions.compared(operator, two.get(0), two.get(1));
    }

    /**
     * Returns values with one type: numbers become floating-point if one is, decimals get the same digits after the point, texts beside
     * times are read as times. A number that is too large for these digits stays greater, or less, than all others; what is chosen of
     * the values must be {@link ArithmeticExpressions#fitting}.
     */
    List<Expression> alike(List<Expression> values, String operation) {
        return ConditionExpressions.scaled(typed(values, false, operation));
    }

    /**
     * Returns values with one type, or whole numbers and decimals.
     *
     * @param compares whether literals with a point are exact beside whole numbers too, not only beside decimals
     */
    List<Expression> typed(List<Expression> values, boolean compares, String operation) {
        FieldType type = null;
        boolean real = false;
        boolean exact = true;
        boolean decimal = compares;
        for (Expression value : values) {
            if (!value.isNull() && (type == null || value.type() == FieldType.TIME)) {
                type = value.type();
            }
            real |= value.type() == FieldType.DOUBLE;
            exact &= value.canBeExact() || value.isNull();
            decimal |= value.type() == FieldType.DECIMAL;
        }
        List<Expression> typed = new ArrayList<>();
        for (Expression value : values) {
            Expression number = exact && decimal && !value.isNull() ? value.exact() : value;
            typed.add(typed(number, type == null ? FieldType.TEXT : type, real && !(exact && decimal), operation));
        }
        return typed;
    }

    private Expression typed(Expression value, FieldType type, boolean real, String operation) {
        boolean isNumber = type == FieldType.LONG || type == FieldType.DOUBLE || type == FieldType.DECIMAL;
        if (value.isNull()) {
            return Expression.none(isNumber ? real ? FieldType.DOUBLE : FieldType.LONG : type);
        }
        if (isNumber && value.isNumber()) {
            return real ? value.widened() : value;
        }
        if (type == FieldType.TIME && value instanceof Expression.Literal literal && value.type() == FieldType.TEXT) {
            return time((String) literal.constant);
        }
        if (value.type() != type) {
            throw wrong(operation + " takes values of one type, not " + Expressions.named(type) + " and "
                    + Expressions.named(value.type()) + "; CAST converts");
        }
        return value;
    }

    private Expression concat(Concat concat) {
        List<Expression> texts = new ArrayList<>();
        for (Expression side : both(concat)) {
            if (side.type() == FieldType.BOOLEAN) {
                throw wrong("'||' joins texts; write 'or' between conditions");
            }
            texts.add(text(side));
        }
        return Texts.concatenated(texts, false, null);
    }

    /** Returns a value as text. */
    static Expression text(Expression value) {
        return Casts.cast(value, "VARCHAR", false);
    }

    private Expression arithmetic(BinaryExpression binary) {
        String operator = switch (binary.getStringExpression()) {
            case "+", "-", "*", "/", "%" -> binary.getStringExpression();
            case "DIV" -> "//";
            default -> null;
        };
        if (operator == null) {
            throw wrong("'" + binary.getStringExpression() + "' is not supported");
        }
        if (binary.getRightExpression() instanceof IntervalExpression interval
                && (operator.equals("+") || operator.equals("-"))) {
            return shifted(compile(binary.getLeftExpression()), interval, operator.equals("-"));
        }
        if (binary.getLeftExpression() instanceof IntervalExpression interval && operator.equals("+")) {
            return shifted(compile(binary.getRightExpression()), interval, false);
        }
        List<Expression> two = both(binary);
        return computed(operator, two.get(0), two.get(1));
    }

    Expression computed(String operator, Expression anyLeft, Expression anyRight) {
        Expression left = anyLeft.isNull() ? Expression.none(anyRight.type()) : anyLeft;
        Expression right = anyRight.isNull() ? Expression.none(left.type()) : anyRight;
        boolean whole = left.type() == FieldType.LONG && right.type() == FieldType.LONG;
        if (whole && !operator.equals("/")) {
            return ArithmeticExpressions.ofWhole(FieldType.LONG, operator, left, right);
        }
        Expression decimal = ArithmeticExpressions.ofDecimals(operator, left, right);
        if (decimal != null) {
            return decimal;
        }
        if (left.isNumber() && right.isNumber() && !operator.equals("//")) {
            return ArithmeticExpressions.ofReal(operator, left, right);
        }
        boolean bySpan = left.type() == FieldType.TIME && right.type() == FieldType.LONG;
        if (bySpan && (operator.equals("+") || operator.equals("-"))) {
            return ArithmeticExpressions.ofWhole(FieldType.TIME, operator, left, right);
        }
        if (left.type() == FieldType.TIME && right.type() == FieldType.TIME && operator.equals("-")) {
            return ArithmeticExpressions.ofWhole(FieldType.LONG, operator, left, right);
        }
        throw wrong("'" + operator + "' does not apply to " + Expressions.named(left.type()) + " and "
                + Expressions.named(right.type()));
    }

    private Expression shifted(Expression time, IntervalExpression interval, boolean back) {
        if (time.type() != FieldType.TIME) {
            throw wrong("an interval can only be added to a time, or taken from one, not "
                    + Expressions.named(time.type()));
        }
        Intervals.Interval span = interval(interval);
        long months = back ? -span.months() : span.months();
        long millis = back ? -span.millis() : span.millis();
        CivilTime civil = new CivilTime();
        Expression shifted = Expression.of(FieldType.TIME, time, t -> {
            t.whole = months == 0 ? t.whole : civil.plusMonths(t.whole, months);
            ArithmeticExpressions.add(t, millis);
        });
        return time.isLocal() ? shifted.local() : shifted;
    }

    Intervals.Interval interval(IntervalExpression interval) {
        String parameter =
                interval.getParameter() != null ? interval.getParameter() : String.valueOf(interval.getExpression());
        String written = parameter.startsWith("'") ? parameter.substring(1, parameter.length() - 1) : parameter;
        Intervals.Interval span = Intervals.parse(
                interval.getIntervalType() == null ? written : written + " " + interval.getIntervalType());
        if (span == null) {
            throw wrong(
                    "an interval is a number and a unit, such as INTERVAL 5 MINUTE or INTERVAL '1 hour 30 minutes'");
        }
        return span;
    }

    private Expression like(LikeExpression like) {
        String word = like.getLikeKeyWord().name();
        boolean ilike = word.equals("ILIKE");
        if (!ilike && !word.equals("LIKE")) {
            throw wrong(word + " is not supported: use LIKE, ILIKE or regexp_matches");
        }
        Expression operand = textOf(like.getLeftExpression(), word);
        Expression pattern = textOf(like.getRightExpression(), word);
        int escape = like.getEscape() == null ? -1 : escape(compile(like.getEscape()));
        Expression left = ilike ? Texts.cased(false, operand) : operand;
        Expression right = ilike ? Texts.cased(false, pattern) : pattern;
        Expression likeness = Expression.of(
                FieldType.BOOLEAN,
                left,
                right,
                (value, p) -> value.truth(Patterns.isLike(
                        value,
                        p.from == 0 && p.length == p.bytes.length
                                ? p.bytes
                                : java.util.Arrays.copyOfRange(p.bytes, p.from, p.from + p.length),
                        escape)));
        return like.isNot() ? ConditionExpressions.not(likeness) : likeness;
    }

    private int escape(Expression escape) {
        boolean fits = escape instanceof Expression.Literal literal
                && literal.constant instanceof String character
                && character.length() == 1
                && character.charAt(0) < 128;
        if (!fits) {
            throw wrong("ESCAPE takes one character in quotes");
        }
        return ((String) ((Expression.Literal) escape).constant).charAt(0);
    }

    Expression textOf(net.sf.jsqlparser.expression.Expression sql, String operation) {
        Expression compiled = compile(sql);
        if (compiled.type() != FieldType.TEXT) {
            throw wrongAt(placeOf(sql), operation + " takes text, but this is " + Expressions.named(compiled.type()));
        }
        return compiled;
    }

    private Expression between(Between between) {
        List<Expression> three = typed(
                List.of(
                        compile(between.getLeftExpression()),
                        compile(between.getBetweenExpressionStart()),
                        compile(between.getBetweenExpressionEnd())),
                true,
                "'between'");
        Expression inside = ConditionExpressions.junction(
                false,
                ConditionExpressions.compared(">=", three.get(0), three.get(1)),
                ConditionExpressions.compared("<=", three.get(0), three.get(2)));
        return between.isNot() ? ConditionExpressions.not(inside) : inside;
    }

    private Expression in(InExpression in) {
        if (!(in.getRightExpression() instanceof ExpressionList<?> list)) {
            throw wrong("'in' takes a list in parentheses, such as x in (1, 2)");
        }
        List<Expression> values = new ArrayList<>();
        values.add(compile(in.getLeftExpression()));
        list.forEach(item -> values.add(compile(item)));
        List<Expression> typed = typed(values, true, "'in'");
        Expression found = ConditionExpressions.found(typed.get(0), typed.subList(1, typed.size()));
        return in.isNot() ? ConditionExpressions.not(found) : found;
    }

    private Expression choice(CaseExpression choice) {
        List<Expression> conditions = new ArrayList<>();
        List<Expression> values = new ArrayList<>();
        Expression operand = choice.getSwitchExpression() == null ? null : compile(choice.getSwitchExpression());
        for (WhenClause clause : choice.getWhenClauses()) {
            conditions.add(
                    operand == null
                            ? bool(clause.getWhenExpression())
                            : comparison("=", List.of(operand, compile(clause.getWhenExpression()))));
            values.add(compile(clause.getThenExpression()));
        }
        values.add(
                choice.getElseExpression() == null
                        ? Expression.none(FieldType.TEXT)
                        : compile(choice.getElseExpression()));
        return ArithmeticExpressions.fitting(ConditionExpressions.choice(conditions, alike(values, "'case'")));
    }

    private Expression cast(CastExpression cast) {
        String name = cast.getColDataType().getDataType();
        Matcher sized = DECIMAL.matcher(cast.getColDataType().toString());
        FieldType type = sized.matches() ? FieldType.DECIMAL : Casts.type(name);
        Expression operand = compile(cast.getLeftExpression());
        if (type == null) {
            throw wrong(
                    "the type " + name + " is not supported; the types are VARCHAR, BIGINT, INTEGER, DOUBLE, DECIMAL,"
                            + " BOOLEAN, TIMESTAMP and DATE");
        }
        if (!operand.isNull() && !Casts.isPossible(operand.type(), type)) {
            throw wrong(Expressions.named(operand.type()) + " cannot be cast to " + name);
        }
        boolean tries =
                cast.keyword != null && cast.keyword.toUpperCase(Locale.ROOT).startsWith("TRY");
        return type == FieldType.DECIMAL
                ? decimal(operand, sized.group(1), sized.group(2), tries)
                : Casts.cast(operand, name, tries);
    }

    private Expression decimal(Expression operand, String digits, String scale, boolean tries) {
        int most = digits == null ? Decimals.MAX_DIGITS : Integer.parseInt(digits);
        int after = scale != null ? Integer.parseInt(scale) : digits == null ? Decimals.USUAL_SCALE : 0;
        if (most < 1 || most > Decimals.MAX_DIGITS || after > most) {
            throw wrong("a DECIMAL has 1 to " + Decimals.MAX_DIGITS + " digits, not more of them after the point");
        }
        return Casts.decimal(operand, most, after, tries);
    }

    private Expression inZone(TimezoneExpression zoned) {
        Expression time = compile(zoned.getLeftExpression());
        for (net.sf.jsqlparser.expression.Expression each : zoned.getTimezoneExpressions()) {
            time = inZone(time, compile(each));
        }
        return time;
    }

    private Expression inZone(Expression time, Expression zone) {
        if (time.type() != FieldType.TIME) {
            throw wrong("'at time zone' takes a time, but this is " + Expressions.named(time.type()));
        }
        CivilTime.Offsets offsets = new CivilTime.Offsets(zone(zone));
        return time.isLocal()
                ? Expression.of(FieldType.TIME, time, t -> t.whole = offsets.instant(t.whole))
                : Expression.of(FieldType.TIME, time, t -> t.whole = offsets.local(t.whole))
                        .local();
    }

    private ZoneId zone(Expression zone) {
        String name =
                zone instanceof Expression.Literal literal && literal.constant instanceof String known ? known : null;
        try {
            if (name != null) {
                return ZoneId.of(name);
            }
        } catch (DateTimeException e) {
            throw wrong("there is no time zone '" + name + "'");
        }
        throw wrong("a time zone is a name in quotes, such as 'Europe/Vienna'");
    }
}
