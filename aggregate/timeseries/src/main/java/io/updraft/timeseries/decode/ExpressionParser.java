package io.updraft.timeseries.decode;

import io.updraft.timeseries.decode.ExpressionLexer.Kind;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.IsoTime;
import io.updraft.timeseries.record.Schema;
import io.updraft.timeseries.record.TimeFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Parses expressions by recursive descent and checks their types. The grammar is at {@link Expressions}. */
final class ExpressionParser {

    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");
    static final Set<String> WORDS = Set.of("and", "or", "not", "in", "true", "false");

    /** The maximum depth: deeper than people write, and shallow enough for the stack. */
    private static final int MAX_DEPTH = 100;

    /**
     * The maximum number of operators: more than people write. A chain of operators is evaluated by recursion as deep as its
     * length.
     */
    private static final int MAX_OPERATORS = 1_000;

    private final ExpressionLexer tokens;
    private final Schema schema;
    private int depth;
    private int operators;

    ExpressionParser(String text, Schema schema) {
        this.tokens = new ExpressionLexer(text);
        this.schema = schema;
    }

    Expressions.Definition definition() {
        int from = tokens.from;
        if (tokens.kind != Kind.NAME && tokens.kind != Kind.QUOTED_NAME) {
            throw tokens.unexpected("the name of a derived column");
        }
        String name = tokens.isAt;
        if (schema.has(name)) {
            throw tokens.wrong(from, "there is a column " + name + " already");
        }
        tokens.advance();
        expect("=");
        Expression expression = expression();
        return new Expressions.Definition(new Schema.Field(name, expression.type()), expression);
    }

    Expression expression() {
        Expression expression = or();
        if (tokens.kind != Kind.END) {
            throw tokens.unexpected(
                    tokens.is("=") ? "the end or an operator (equal is written ==)" : "the end or an operator");
        }
        return expression;
    }

    private Expression or() {
        if (++depth > MAX_DEPTH) {
            throw tokens.wrong(tokens.from, "nested too deep");
        }
        Expression or = junction(true);
        depth--;
        return or;
    }

    /** Parses a chain of "or" or, inside it, of "and". */
    private Expression junction(boolean or) {
        int from = tokens.from;
        Expression left = or ? junction(false) : not();
        while (tokens.is(or ? "||" : "&&") || tokens.isWord(or ? "or" : "and")) {
            countOperator();
            tokens.advance();
            int at = tokens.from;
            left = ConditionExpressions.junction(or, bool(left, from), bool(or ? junction(false) : not(), at));
        }
        return left;
    }

    private Expression not() {
        boolean negated = false;
        boolean found = false;
        while (tokens.is("!") || tokens.isWord("not")) {
            negated = !negated;
            found = true;
            tokens.advance();
        }
        int from = tokens.from;
        Expression operand = comparison();
        if (found) {
            bool(operand, from);
        }
        return negated ? ConditionExpressions.not(operand) : operand;
    }

    private Expression comparison() {
        Expression left = sum();
        int at = tokens.from;
        if (tokens.kind == Kind.SIGN && COMPARISONS.contains(tokens.isAt)) {
            String operator = tokens.isAt;
            tokens.advance();
            return compared(operator, at, left, sum());
        }
        boolean negated = tokens.isWord("not");
        if (negated) {
            tokens.advance();
        }
        if (tokens.isWord("in")) {
            tokens.advance();
            Expression in = in(left);
            return negated ? ConditionExpressions.not(in) : in;
        }
        if (negated) {
            throw tokens.unexpected("in");
        }
        return left;
    }

    private Expression compared(String operator, int at, Expression left, Expression right) {
        if (left.isNumber() && right.isNumber()) {
            return left.type() == FieldType.LONG && right.type() == FieldType.LONG
                    ? ConditionExpressions.comparison(operator, left, right)
                    : ConditionExpressions.comparison(operator, left.widened(), right.widened());
        }
        Expression a = asTimeBeside(right, left, at);
        Expression b = asTimeBeside(left, right, at);
        if (a.type() != b.type()) {
            throw tokens.wrong(at, Expressions.named(a) + " cannot be compared with " + Expressions.named(b));
        }
        boolean equality = operator.equals("==") || operator.equals("!=");
        if (a.type() == FieldType.BOOLEAN && !equality) {
            throw tokens.wrong(at, "true and false have no order");
        }
        return ConditionExpressions.comparison(operator, a, b);
    }

    /** Converts a text literal next to a time to the time that it represents. */
    private Expression asTimeBeside(Expression other, Expression side, int at) {
        if (other.type() == FieldType.TIME
                && side instanceof Expression.Literal text
                && side.type() == FieldType.TEXT) {
            return new Expression.Literal(FieldType.TIME, time((String) text.constant, at));
        }
        return side;
    }

    private Long time(String text, int at) {
        ExpressionValue time = new ExpressionValue();
        time.text(text);
        long millis = IsoTime.parse(time.bytes, 0, time.length, TimeFormat.ISO.zone());
        if (millis == IsoTime.NONE) {
            throw tokens.wrong(at, "\"" + text + "\" is not an ISO 8601 time");
        }
        return millis;
    }

    private Expression in(Expression left) {
        expect("(");
        List<Expression> list = new ArrayList<>();
        boolean real = left.type() == FieldType.DOUBLE;
        do {
            int at = tokens.from;
            Expression item = asTimeBeside(left, factor(), at);
            if (!(item instanceof Expression.Literal)) {
                throw tokens.wrong(at, "only literals can be in a list");
            }
            boolean numbers = left.isNumber() && item.isNumber();
            if (item.type() != left.type() && !numbers) {
                throw tokens.wrong(at, Expressions.named(left) + " cannot equal " + Expressions.named(item));
            }
            real |= item.type() == FieldType.DOUBLE;
            list.add(item);
        } while (another());
        expect(")");
        if (real) {
            list.replaceAll(Expression::widened);
        }
        return ConditionExpressions.in(real ? left.widened() : left, list);
    }

    private Expression sum() {
        return chain("+-", this::product);
    }

    private Expression product() {
        return chain("*/%", this::factor);
    }

    /** Parses operands with operators of one precedence between them. */
    private Expression chain(String signs, Supplier<Expression> operand) {
        Expression left = operand.get();
        while (tokens.kind == Kind.SIGN && tokens.isAt.length() == 1 && signs.contains(tokens.isAt)) {
            int at = tokens.from;
            char operator = tokens.isAt.charAt(0);
            countOperator();
            tokens.advance();
            left = computed(operator, at, left, operand.get());
        }
        return left;
    }

    private void countOperator() {
        if (++operators > MAX_OPERATORS) {
            throw tokens.wrong(tokens.from, "more than " + MAX_OPERATORS + " operators");
        }
    }

    private Expression computed(char operator, int at, Expression left, Expression right) {
        boolean whole = left.type() == FieldType.LONG && right.type() == FieldType.LONG;
        if (whole && operator != '/') {
            return ArithmeticExpressions.ofWhole(FieldType.LONG, operator, left, right);
        }
        if (left.isNumber() && right.isNumber()) {
            return ArithmeticExpressions.ofReal(operator, left, right);
        }
        boolean bySpan = left.type() == FieldType.TIME && right.type() == FieldType.LONG;
        if (bySpan && (operator == '+' || operator == '-')) {
            return ArithmeticExpressions.ofWhole(FieldType.TIME, operator, left, right);
        }
        if (left.type() == FieldType.TIME && right.type() == FieldType.TIME && operator == '-') {
            return ArithmeticExpressions.ofWhole(FieldType.LONG, operator, left, right);
        }
        throw tokens.wrong(
                at,
                "'" + operator + "' does not apply to " + Expressions.named(left) + " and " + Expressions.named(right));
    }

    private Expression factor() {
        int from = tokens.from;
        if (tokens.is("-")) {
            return negative(from);
        }
        if (tokens.is("(")) {
            tokens.advance();
            Expression inner = or();
            expect(")");
            return inner;
        }
        Kind kind = tokens.kind;
        String says = tokens.isAt;
        boolean call = kind == Kind.NAME && tokens.beforeParenthesis() && !WORDS.contains(says);
        if (kind == Kind.SIGN || kind == Kind.END) {
            throw tokens.unexpected("a value");
        }
        tokens.advance();
        return switch (kind) {
            case NUMBER -> NumberLiterals.literal(says, tokens, from);
            case TEXT -> new Expression.Literal(FieldType.TEXT, says);
            case NAME -> call ? call(says, from) : named(says, from);
            default -> column(says, from);
        };
    }

    private Expression negative(int from) {
        tokens.advance();
        if (tokens.kind == Kind.NUMBER) {
            String digits = "-" + tokens.isAt;
            tokens.advance();
            return NumberLiterals.literal(digits, tokens, from);
        }
        if (++depth > MAX_DEPTH) {
            throw tokens.wrong(from, "nested too deep");
        }
        Expression negated = computed('-', from, new Expression.Literal(FieldType.LONG, 0L), factor());
        depth--;
        return negated;
    }

    private Expression named(String name, int from) {
        if (name.equals("true") || name.equals("false")) {
            return new Expression.Literal(FieldType.BOOLEAN, name.equals("true") ? 1L : 0L);
        }
        if (WORDS.contains(name)) {
            throw tokens.wrong(from, "expected a value, not " + name);
        }
        return column(name, from);
    }

    private Expression column(String name, int from) {
        if (!schema.has(name)) {
            throw tokens.wrong(from, "there is no column " + name);
        }
        int slot = schema.slot(name);
        return Expression.slot(schema.fields().get(slot).type(), slot);
    }

    private Expression call(String function, int from) {
        if (!List.of("exists", "lower", "upper", "concat", "coalesce", "truncate")
                .contains(function)) {
            throw tokens.wrong(
                    from,
                    "unknown function " + function
                            + "; the functions are exists, lower, upper, concat, coalesce and truncate");
        }
        List<Expression> arguments = arguments();
        return switch (function) {
            case "exists" -> ConditionExpressions.exists(only(function, arguments, from));
            case "lower" -> TextExpressions.cased(false, text(function, arguments, from));
            case "upper" -> TextExpressions.cased(true, text(function, arguments, from));
            case "concat" -> concat(arguments, from);
            case "coalesce" -> coalesce(arguments, from);
            default -> truncate(arguments, from);
        };
    }

    private Expression only(String function, List<Expression> arguments, int from) {
        if (arguments.size() != 1) {
            throw tokens.wrong(from, function + " takes one argument, not " + arguments.size());
        }
        return arguments.get(0);
    }

    private Expression text(String function, List<Expression> arguments, int from) {
        Expression only = only(function, arguments, from);
        if (only.type() != FieldType.TEXT) {
            throw tokens.wrong(from, function + " takes text, but this is " + Expressions.named(only));
        }
        return only;
    }

    private Expression concat(List<Expression> arguments, int from) {
        for (Expression argument : arguments) {
            if (argument.type() == FieldType.TIME) {
                throw tokens.wrong(from, "concat does not take a time");
            }
        }
        return TextExpressions.concatenated(arguments);
    }

    private Expression coalesce(List<Expression> arguments, int from) {
        Expression first = arguments.get(0);
        boolean real = false;
        for (Expression argument : arguments) {
            boolean numbers = first.isNumber() && argument.isNumber();
            if (argument.type() != first.type() && !numbers) {
                throw tokens.wrong(
                        from,
                        "coalesce takes values of one type, not " + Expressions.named(first) + " and "
                                + Expressions.named(argument));
            }
            real |= argument.type() == FieldType.DOUBLE;
        }
        if (real) {
            arguments.replaceAll(Expression::widened);
        }
        return TextExpressions.first(arguments);
    }

    private Expression truncate(List<Expression> arguments, int from) {
        boolean fits = arguments.size() == 2
                && arguments.get(0).type() == FieldType.TIME
                && arguments.get(1) instanceof Expression.Literal
                && arguments.get(1).type() == FieldType.TEXT;
        long millis = fits ? NumberLiterals.millis((String) ((Expression.Literal) arguments.get(1)).constant) : 0;
        if (millis == 0) {
            throw tokens.wrong(from, "truncate takes a time and a span such as \"5m\" (ms, s, m, h or d)");
        }
        return ArithmeticExpressions.truncated(arguments.get(0), millis);
    }

    /** Parses the arguments of a call, with their parentheses. */
    private List<Expression> arguments() {
        expect("(");
        List<Expression> arguments = new ArrayList<>();
        do {
            arguments.add(or());
        } while (another());
        expect(")");
        return arguments;
    }

    private boolean another() {
        boolean comma = tokens.is(",");
        if (comma) {
            tokens.advance();
        }
        return comma;
    }

    private void expect(String sign) {
        if (!tokens.is(sign)) {
            throw tokens.unexpected(sign);
        }
        tokens.advance();
    }

    private Expression bool(Expression of, int from) {
        if (of.type() != FieldType.BOOLEAN) {
            throw tokens.wrong(from, "expected true or false, but this is " + Expressions.named(of));
        }
        return of;
    }
}
