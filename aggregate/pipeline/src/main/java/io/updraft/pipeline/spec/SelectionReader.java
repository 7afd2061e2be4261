package io.updraft.pipeline.spec;

import io.updraft.storm.yaml.Mistakes;
import io.updraft.storm.yaml.YamlMap;
import io.updraft.storm.yaml.YamlNode;
import io.updraft.timeseries.expression.ExpressionException;
import io.updraft.timeseries.expression.Expressions;
import io.updraft.timeseries.query.GroupExpressions;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Selection;
import io.updraft.timeseries.record.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what a pipeline writes of its groups: {@code measures}, {@code having}, {@code top}, {@code order_by} and {@code limit}. */
final class SelectionReader {

    private static final Pattern ORDER = Pattern.compile("(.*?)(\\s+(asc|desc))?\\s*", Pattern.CASE_INSENSITIVE);

    private final YamlMap map;
    private final KeyTable.AggregateKeys keys;
    private final DecodeReader decodes;
    private final GroupExpressions expressions;
    private final YamlMap measures;
    /** Where each measure and each derived column is described. */
    private final Map<String, YamlNode> places = new HashMap<>();

    SelectionReader(YamlMap map, KeyTable.AggregateKeys keys, DecodeReader decodes) {
        this.map = map;
        this.keys = keys;
        this.decodes = decodes;
        measures = map.map("measures");
        Set<String> names = new HashSet<>(keys.groupBy());
        names.addAll(measures.names());
        expressions = new GroupExpressions(names, decodes::exactName);
    }

    Selection read() {
        Set<String> names = new HashSet<>(keys.groupBy());
        for (String name : measures.names()) {
            YamlNode node = measures.get(name);
            if (node == null) {
                map.mistakes()
                        .add(measures.keyNode(name), "'" + name + "' needs a function, such as sum(field) or count(*)");
            } else if (!names.add(name)) {
                map.mistakes()
                        .add(
                                measures.keyNode(name),
                                "'" + name
                                        + "' is the name of a measure and of a field in 'group_by'; rename the measure");
            } else {
                measures.parse(name, null, text -> {
                    expressions.add(name, renewed(name, text));
                    return name;
                });
                place(node);
            }
        }
        if (map.has("measures") && measures.names().isEmpty()) {
            map.mistake("measures", "'measures' is empty; add a measure, such as n: count(*)");
        }
        String having = map.parse("having", null, text -> expressions.measured(renewed("having", text)));
        place(map.at("having"));
        List<Selection.Order> order = orders(map, "order_by", keys.orderBy());
        return new Selection(expressions.columns(), having, top(), order, keys.limit());
    }

    private String renewed(String key, String text) {
        return DecodeReader.renewed(key, text, OldMeasures.renewed(text, decodes::isField));
    }

    /** Notes where the measures and derived columns were described that were found last. */
    private void place(YamlNode node) {
        expressions.measures().forEach(measure -> places.putIfAbsent(measure.name(), node));
        expressions.derived().keySet().forEach(name -> places.putIfAbsent(name, node));
    }

    private Selection.Top top() {
        KeyTable.TopKeys top = keys.top();
        if (top == null) {
            return null;
        }
        YamlMap section = map.map("top");
        if (top.by().isEmpty()) {
            section.mistake("by", "'top' needs 'by': what the first groups have most of, such as 'n desc'");
        }
        Set<String> columns = new HashSet<>(keys.groupBy());
        columns.addAll(measures.names());
        List<String> per = top.per().stream()
                .map(name -> columns.contains(name) ? name : decodes.exact(name))
                .toList();
        per.stream()
                .filter(name -> !columns.contains(name))
                .forEach(name -> section.mistake("per", "'" + name + "' is neither in 'group_by' nor in 'measures'"));
        return new Selection.Top(top.rows(), per, orders(section, "by", top.by()));
    }

    private List<Selection.Order> orders(YamlMap section, String key, List<String> texts) {
        List<Selection.Order> orders = new ArrayList<>();
        for (String text : texts) {
            Matcher matcher = ORDER.matcher(text);
            if (matcher.matches()) {
                boolean isDescending = "desc".equalsIgnoreCase(matcher.group(3));
                try {
                    orders.add(new Selection.Order(expressions.measured(matcher.group(1)), isDescending));
                } catch (ExpressionException e) {
                    section.mistake(key, "'" + key + "': " + e.getMessage());
                }
            }
        }
        place(section.at(key));
        return orders;
    }

    /** Returns the measures of the groups, also those that are only parts of expressions. */
    List<Measure> measures() {
        return expressions.measures();
    }

    /** Returns the expressions of the columns that measures read, by their names. */
    Map<String, String> derived() {
        return expressions.derived();
    }

    YamlNode place(String name) {
        return places.getOrDefault(name, map.at("measures"));
    }

    /** Returns the aggregate with other measures in place of some, whose names stay if they are columns. */
    static AggregateSpec with(AggregateSpec aggregate, UnaryOperator<Measure> others) {
        Set<String> columns = new HashSet<>();
        aggregate.selection().columns().forEach(column -> columns.add(column.name()));
        List<Measure> measures = new ArrayList<>();
        Map<String, String> renamed = new LinkedHashMap<>();
        for (Measure measure : aggregate.measures()) {
            Measure other = others.apply(measure);
            boolean isColumn = columns.contains(measure.name());
            String name = isColumn || other == measure ? measure.name() : GroupExpressions.text(other);
            if (!name.equals(measure.name())) {
                renamed.put(measure.name(), name);
            }
            measures.add(new Measure(name, other.function(), other.field(), other.quantile()));
        }
        Selection selection = mapped(aggregate.selection(), text -> Expressions.renamed(text, renamed));
        return new AggregateSpec(
                aggregate.groupBy(),
                measures,
                selection,
                aggregate.window(),
                aggregate.early(),
                aggregate.unique(),
                aggregate.limits());
    }

    /** Returns a selection with other expressions. */
    static Selection mapped(Selection selection, UnaryOperator<String> other) {
        UnaryOperator<String> optional = text -> text == null ? null : other.apply(text);
        UnaryOperator<Selection.Order> order =
                each -> new Selection.Order(other.apply(each.expression()), each.descending());
        Selection.Top top = selection.top();
        return new Selection(
                selection.columns().stream()
                        .map(each -> new Selection.Column(each.name(), optional.apply(each.expression())))
                        .toList(),
                optional.apply(selection.having()),
                top == null
                        ? null
                        : new Selection.Top(
                                top.rows(),
                                top.per(),
                                top.order().stream().map(order).toList()),
                selection.order().stream().map(order).toList(),
                selection.limit());
    }

    /** Reports the mistakes of expressions of groups. */
    void check(Selection selection, Schema groups, Predicate<String> isField) {
        Mistakes mistakes = map.mistakes();
        List<Schema.Field> fields = new ArrayList<>(groups.fields());
        for (Selection.Column column : selection.columns()) {
            if (column.expression() != null) {
                YamlNode where = measures.at(column.name());
                check(
                        where,
                        column.expression(),
                        fields,
                        isField,
                        (text, schema) -> fields.add(
                                Expressions.column(column.name(), text, schema).field(column.name())));
            }
        }
        if (selection.having() != null) {
            check(map.at("having"), selection.having(), fields, isField, Expressions::condition);
        }
        selection
                .order()
                .forEach(
                        each -> check(map.at("order_by"), each.expression(), fields, isField, Expressions::expression));
        if (selection.top() != null) {
            YamlNode by = map.map("top").at("by");
            selection
                    .top()
                    .order()
                    .forEach(each -> check(by, each.expression(), fields, isField, Expressions::expression));
        }
    }

    /** Compiles an expression. */
    private interface Compiler {
        void compile(String text, Schema schema);
    }

    private void check(
            YamlNode where, String text, List<Schema.Field> fields, Predicate<String> isField, Compiler compiler) {
        Schema schema = new Schema(fields);
        String outside = Expressions.names(text).stream()
                .filter(name -> fields.stream().noneMatch(field -> field.name().equalsIgnoreCase(name)))
                .filter(isField)
                .findFirst()
                .orElse(null);
        try {
            if (outside != null) {
                throw new IllegalArgumentException(
                        "'" + outside + "' has one value for each record, not for each group:" + " write max(" + outside
                                + ") or first(" + outside + "), or add it to 'group_by'");
            }
            compiler.compile(text, schema);
        } catch (IllegalArgumentException e) {
            map.mistakes().add(where, e.getMessage());
        }
    }
}
