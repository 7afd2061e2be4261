package io.updraft.timeseries.expression;

import io.updraft.timeseries.record.FieldType;
import java.util.List;

/** The functions of expressions. */
final class FunctionParser {

    private final ExpressionParser parser;
    private final ExpressionLexer tokens;

    FunctionParser(ExpressionParser parser, ExpressionLexer tokens) {
        this.parser = parser;
        this.tokens = tokens;
    }

    Expression call(String function, int from) {
        if (!List.of("exists", "lower", "upper", "concat", "coalesce", "truncate")
                .contains(function)) {
            throw tokens.wrong(
                    from,
                    "unknown function " + function
                            + "; the functions are exists, lower, upper, concat, coalesce and truncate");
        }
        List<Expression> arguments = parser.arguments();
        return switch (function) {
            case "exists" -> new ConditionExpressions.Exists(only(function, arguments, from));
            case "lower" -> new TextExpressions.Cased(false, text(function, arguments, from));
            case "upper" -> new TextExpressions.Cased(true, text(function, arguments, from));
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
        return new TextExpressions.Concatenated(arguments);
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
            arguments.replaceAll(Expression.Widened::of);
        }
        return new TextExpressions.First(arguments);
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
        return new ArithmeticExpressions.Truncated(arguments.get(0), millis);
    }
}
