package io.updraft.timeseries.query;

import static java.util.Map.entry;

import io.updraft.timeseries.expression.AggregateCall;
import io.updraft.timeseries.expression.ExpressionException;
import io.updraft.timeseries.expression.Expressions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes apart expressions of groups, such as {@code sum(price * pieces) / count(*)}: measures of fields, derived columns whose values
 * these fields have, and expressions of the measures. One thread only.
 */
public final class GroupExpressions {

    private static final Map<String, AggregateFunction> FUNCTIONS = Map.ofEntries(
            entry("count", AggregateFunction.COUNT),
            entry("sum", AggregateFunction.SUM),
            entry("min", AggregateFunction.MIN),
            entry("max", AggregateFunction.MAX),
            entry("avg", AggregateFunction.AVG),
            entry("first", AggregateFunction.FIRST),
            entry("last", AggregateFunction.LAST),
            entry("mode", AggregateFunction.MODE),
            entry("stddev_pop", AggregateFunction.STDDEV),
            entry("approx_count_distinct", AggregateFunction.DISTINCT),
            entry("approx_quantile", AggregateFunction.QUANTILE),
            entry("quantile_cont", AggregateFunction.QUANTILE_CONT),
            entry("quantile_disc", AggregateFunction.QUANTILE_DISC));

    /** Other names, and functions that are expressions of others; {@code $} stands for the argument. */
    private static final Map<String, String> OTHERS = Map.ofEntries(
            entry("mean", "avg($)"),
            entry("any_value", "min($)"),
            entry("arbitrary", "min($)"),
            entry("median", "quantile_cont($, 0.5)"),
            entry("quantile", "quantile_disc($)"),
            entry("count_if", "sum(CASE $ WHEN true THEN 1 WHEN false THEN 0 END)"),
            entry("countif", "count_if($)"),
            entry("bool_and", "min($)"),
            entry("bool_or", "max($)"),
            entry("var_pop", "pow(stddev_pop($), 2)"),
            entry("var_samp", "pow(stddev_pop($), 2) * count($) / nullif(count($) - 1, 0)"),
            entry("variance", "var_samp($)"),
            entry("stddev_samp", "stddev_pop($) * sqrt(count($) / nullif(count($) - 1, 0))"),
            entry("stddev", "stddev_samp($)"));

    /** A call of which the argument is one, in what a function stands for. */
    private static final Pattern CALL_OF_ARGUMENT = Pattern.compile("(\\w+\\([^()]*\\$[^()]*\\))");

    private static final Set<String> NAMES = names();

    private final UnaryOperator<String> fields;
    /** The names that hidden measures must not have. */
    private final Set<String> taken;

    private final List<Measure> measures = new ArrayList<>();
    private final Map<String, String> derived = new LinkedHashMap<>();
    private final List<Selection.Column> columns = new ArrayList<>();

    /**
     * Creates an empty set of expressions.
     *
     * @param names the names of the dimensions and of all columns
     * @param fields returns the exact name of a field that may be written in other case; null if no such field is known
     */
    public GroupExpressions(Collection<String> names, UnaryOperator<String> fields) {
        this.fields = fields;
        taken = new HashSet<>(names);
    }

    private static Set<String> names() {
        Set<String> names = new TreeSet<>(FUNCTIONS.keySet());
        names.addAll(OTHERS.keySet());
        return names;
    }

    /** {@return whether there is a call of an aggregate function in an expression} */
    public static boolean isAggregate(String text) {
        return !AggregateCall.in(text, NAMES).isEmpty();
    }

    /**
     * Adds a column of results.
     *
     * @param text an expression of aggregates and of columns that were added before
     * @throws ExpressionException when it cannot be taken apart; other mistakes are found by {@link Selection#schema}
     */
    public void add(String name, String text) {
        String renewed = expanded(text);
        List<AggregateCall> calls = AggregateCall.in(renewed, NAMES);
        if (calls.size() == 1 && isWhole(calls.get(0), renewed)) {
            Measure found = measure(name, calls.get(0), renewed);
            measures.add(found);
            columns.add(new Selection.Column(name, null));
        } else {
            columns.add(new Selection.Column(name, replaced(renewed, calls)));
        }
    }

    private static boolean isWhole(AggregateCall call, String text) {
        return text.substring(0, call.from()).isBlank()
                && text.substring(call.to()).isBlank();
    }

    /**
     * Takes apart an expression that is no column itself, such as a condition.
     *
     * @return the expression with names of measures in place of aggregates
     * @throws ExpressionException when it cannot be taken apart
     */
    public String measured(String text) {
        String renewed = expanded(text);
        return replaced(renewed, AggregateCall.in(renewed, NAMES));
    }

    private String replaced(String text, List<AggregateCall> calls) {
        StringBuilder expression = new StringBuilder();
        int done = 0;
        for (AggregateCall call : calls) {
            expression.append(text, done, call.from()).append(Expressions.written(hidden(call, text)));
            done = call.to();
        }
        return expression.append(text, done, text.length()).toString();
    }

    /** Replaces functions by what they stand for. */
    private static String expanded(String text) {
        String expanded = text;
        for (AggregateCall call = other(text); call != null; call = other(expanded)) {
            String filter = call.filter() == null ? "" : " FILTER (WHERE " + call.filter() + ")";
            int expected = call.function().equals("quantile") ? 2 : 1;
            if (call.distinct() || call.arguments().size() != expected) {
                throw wrong(expanded, call, needs(call, expected));
            }
            String meaning = OTHERS.get(call.function());
            String filtered = CALL_OF_ARGUMENT.matcher(meaning).replaceAll("$1" + Matcher.quoteReplacement(filter));
            String written = filtered.replace("$", String.join(", ", call.arguments()));
            meaning = isCallAlone(meaning) ? written : '(' + written + ')';
            expanded = expanded.substring(0, call.from()) + meaning + expanded.substring(call.to());
        }
        return expanded;
    }

    private static String needs(AggregateCall call, int arguments) {
        String name = call.function();
        return arguments == 2
                ? name + " needs a field and a fraction from 0 to 1, such as " + name + "(field, 0.99)"
                : name + " needs one field, such as " + name + "(field)";
    }

    private static boolean isCallAlone(String meaning) {
        List<AggregateCall> calls = AggregateCall.in(meaning.replace("$", "x"), NAMES);
        return calls.size() == 1 && isWhole(calls.get(0), meaning.replace("$", "x"));
    }

    private static AggregateCall other(String text) {
        return AggregateCall.in(text, NAMES).stream()
                .filter(call -> OTHERS.containsKey(call.function()))
                .findFirst()
                .orElse(null);
    }

    private static ExpressionException wrong(String text, AggregateCall call, String message) {
        return new ExpressionException(text, call.from(), message);
    }

    /** Returns the name of a measure that no column has, for a part of an expression. */
    private String hidden(AggregateCall call, String text) {
        Measure unnamed = measure("", call, text);
        for (Measure measure : measures) {
            if (measure.equals(new Measure(measure.name(), unnamed.function(), unnamed.field(), unnamed.quantile()))) {
                return measure.name();
            }
        }
        Measure named = hidden(unnamed, taken);
        taken.add(named.name());
        measures.add(named);
        return named.name();
    }

    private static Measure hidden(Measure measure, Set<String> taken) {
        String name = text(measure);
        while (taken.contains(name)) {
            name += ' ';
        }
        return new Measure(name, measure.function(), measure.field(), measure.quantile());
    }

    private Measure measure(String name, AggregateCall call, String text) {
        AggregateFunction function = FUNCTIONS.get(call.function());
        List<String> arguments = call.arguments();
        int expected = function.hasFraction() ? 2 : 1;
        boolean countsRows = function == AggregateFunction.COUNT
                && (arguments.isEmpty() || arguments.get(0).equals("*") || isConstant(arguments.get(0)));
        if (call.distinct()) {
            if (function != AggregateFunction.COUNT || countsRows) {
                throw wrong(text, call, "DISTINCT is only for count(DISTINCT field)");
            }
            function = AggregateFunction.EXACT_DISTINCT;
        }
        if (arguments.contains("*") && !countsRows) {
            throw wrong(
                    text,
                    call,
                    call.function() + "(*) has no meaning: write " + call.function()
                            + "(field), or count(*) for the number of rows");
        }
        if (!countsRows && arguments.size() != expected) {
            throw wrong(text, call, needs(call, expected));
        }
        if (countsRows) {
            String field = call.filter() == null ? null : derived("1", call.filter());
            return new Measure(name, AggregateFunction.COUNT, field, 0);
        }
        double fraction = function.hasFraction() ? fraction(arguments.get(1), call, text) : 0;
        return new Measure(name, function, field(arguments.get(0), call.filter()), fraction);
    }

    private static boolean isConstant(String text) {
        return text.matches("[0-9]+|'[^']*'|(?i:true|false)");
    }

    private static double fraction(String text, AggregateCall call, String whole) {
        boolean isNumber = text.matches("[+]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]+)?");
        if (!isNumber || Double.parseDouble(text) > 1) {
            throw wrong(whole, call, "the fraction of " + call.function() + " is a number from 0 to 1, not " + text);
        }
        return Double.parseDouble(text);
    }

    private String field(String argument, String filter) {
        String name = Expressions.columnName(argument);
        if (name == null || filter != null) {
            return derived(argument, filter);
        }
        String exact = fields.apply(name);
        return exact == null ? name : exact;
    }

    /** Returns the name of the derived column of an expression. */
    private String derived(String expression, String filter) {
        String meaning = filter == null ? expression : "CASE WHEN " + filter + " THEN " + expression + " END";
        String name = filter == null ? expression : expression + " where " + filter;
        while (derived.containsKey(name) ? !derived.get(name).equals(meaning) : name.equals(fields.apply(name))) {
            name += ' ';
        }
        derived.put(name, meaning);
        return name;
    }

    /** Returns the measures of the groups: those of columns under their names, and parts of expressions. */
    public List<Measure> measures() {
        return List.copyOf(measures);
    }

    /** Returns the expressions of the derived columns that measures read, by their names. */
    public Map<String, String> derived() {
        return new LinkedHashMap<>(derived);
    }

    /** Returns the columns in the order in which they were added. */
    public List<Selection.Column> columns() {
        return List.copyOf(columns);
    }

    /** {@return a measure's function in SQL} */
    public static String text(Measure measure) {
        if (measure.field() == null) {
            return "count(*)";
        }
        String field = Expressions.written(measure.field());
        if (measure.function() == AggregateFunction.EXACT_DISTINCT) {
            return "count(DISTINCT " + field + ")";
        }
        String name = FUNCTIONS.entrySet().stream()
                .filter(each -> each.getValue() == measure.function())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
        String fraction = measure.function().hasFraction() ? ", " + measure.quantile() : "";
        return name + "(" + field + fraction + ")";
    }

    /** {@return an expression with the functions of measures in place of their names, unless a column has the name} */
    public static String text(String expression, List<Measure> measures, Collection<String> columns) {
        Map<String, String> texts = new HashMap<>();
        for (Measure measure : measures) {
            if (!columns.contains(measure.name())) {
                texts.put(measure.name(), text(measure));
            }
        }
        return Expressions.replaced(expression, texts);
    }
}
