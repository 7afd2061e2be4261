package io.updraft.pipeline.sql;

import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.ResultPlace;
import io.updraft.pipeline.spec.SpecException;
import io.updraft.pipeline.spec.SpecReader;
import io.updraft.storm.yaml.Mistakes;
import io.updraft.storm.yaml.YamlNode;
import io.updraft.timeseries.expression.ExpressionException;
import io.updraft.timeseries.expression.Expressions;
import io.updraft.timeseries.expression.SelectStatement;
import io.updraft.timeseries.expression.SelectStatement.Item;
import io.updraft.timeseries.expression.SelectStatement.OrderItem;
import io.updraft.timeseries.expression.SelectStatement.Part;
import io.updraft.timeseries.query.GroupExpressions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Makes a pipeline of a SELECT statement. A mistake has its place in the statement. For one statement. */
public final class SqlQuery {

    private static final Set<String> WINDOW_BOUNDS = Set.of("window_start", "window_end");

    private final SelectStatement select;
    private final YamlNodes nodes;
    private final Mistakes mistakes = new Mistakes();
    private final SqlSources sources;

    /** The keys of the groups, and whether a column shows them. */
    private final List<Key> keys = new ArrayList<>();

    private final Set<Key> shown = new HashSet<>();
    private boolean groupsByWindow;

    /**
     * A key of groups.
     *
     * @param name the name of its column
     * @param expression what it is computed of; null for a field
     */
    private record Key(String name, Part expression, int place) {}

    private SqlQuery(SelectStatement select, YamlNodes nodes, YamlNode described) {
        this.select = select;
        this.nodes = nodes;
        sources = new SqlSources(described, nodes, mistakes);
    }

    /**
     * Makes a pipeline of a query.
     *
     * @param reader reads the description that is made of the statement
     * @param file the name of the query in messages
     * @param text the query: one statement, and comments
     * @param name the name of the pipeline
     * @param described the sources that the statement may name; null if there are none
     * @param sinks where results go; none for a table on standard output
     * @throws SpecException when the statement has mistakes; it carries all of them
     */
    public static PipelineSpec read(
            SpecReader reader, String file, String text, String name, YamlNode described, List<ResultPlace> sinks)
            throws SpecException {
        YamlNodes nodes = new YamlNodes(file, text);
        try {
            SqlQuery query = new SqlQuery(statement(text), nodes, described);
            YamlNode pipeline = query.pipeline(name, sinks);
            if (query.mistakes.any()) {
                throw new SpecException(query.mistakes.sorted());
            }
            return reader.read(pipeline, name);
        } catch (ExpressionException e) {
            throw new SpecException(List.of(new Mistakes.Mistake(nodes.place(e.position()), e.flaw())));
        } catch (SpecException e) {
            throw new SpecException(e.mistakes().stream().map(nodes::exact).toList());
        }
    }

    private static SelectStatement statement(String text) {
        List<String> statements = SelectStatement.split(text);
        if (statements.isEmpty()) {
            throw new ExpressionException(text, 0, "there is no query: write SELECT ... FROM ... GROUP BY ...");
        }
        if (statements.size() > 1) {
            String second = statements.get(1);
            int place = second.length() - second.stripLeading().length();
            throw new ExpressionException(text, place, "several queries are not supported: run one at a time");
        }
        return SelectStatement.of(statements.get(0));
    }

    private void mistake(int place, String message) {
        mistakes.add(nodes.place(place), message);
    }

    private YamlNode pipeline(String name, List<ResultPlace> sinks) {
        YamlNodes.Mapping sections = sources.sections(select.from());
        if (sections == null) {
            return null;
        }
        findKeys();
        if (mistakes.any()) {
            return null;
        }
        YamlNode aggregate = aggregate();
        flatten(sections);
        time(sections);
        sections.put("aggregate", aggregate);
        sections.put("name", nodes.text(name, 0));
        if (!sinks.isEmpty()) {
            sections.put("sinks", nodes.list(sinks.stream().map(this::sink).toList(), 0));
        }
        return sections.node();
    }

    private YamlNode sink(ResultPlace place) {
        return nodes.new Mapping(0)
                .put(place.sink(), nodes.text(place.value(), 0))
                .node();
    }

    private boolean isAggregate(Part part) {
        try {
            return GroupExpressions.isAggregate(part.text());
        } catch (ExpressionException e) {
            mistake(part.from() + e.position(), e.flaw());
            return false;
        }
    }

    private static boolean isAll(Part part) {
        return part.text().equalsIgnoreCase("all");
    }

    private void findKeys() {
        List<Part> groupBy = select.groupBy();
        if (groupBy.size() == 1 && isAll(groupBy.get(0))) {
            for (Item item : select.items()) {
                if (!isAggregate(item.expression())) {
                    addKey(item.expression());
                }
            }
            return;
        }
        groupBy.forEach(this::addKey);
    }

    private void addKey(Part written) {
        Item item = itemOf(written);
        Part expression = item == null ? written : item.expression();
        String field = Expressions.columnName(expression.text());
        if (field != null && WINDOW_BOUNDS.contains(field.toLowerCase(Locale.ROOT))) {
            groupsByWindow = true;
            return;
        }
        if (isAggregate(expression)) {
            mistake(written.from(), "an aggregate function cannot be a key of groups");
            return;
        }
        String alias =
                item == null || item.alias() == null ? null : item.alias().text();
        if (field != null && (alias == null || alias.equals(field))) {
            keys.add(new Key(field, null, written.from()));
        } else {
            if (alias != null && Expressions.names(expression.text()).stream().anyMatch(alias::equalsIgnoreCase)) {
                mistake(
                        item.alias().from(),
                        alias
                                + " is a column of the table, and cannot be the name of a key that is computed of it: write"
                                + " another name after AS");
                return;
            }
            keys.add(new Key(alias != null ? alias : expression.text(), expression, written.from()));
        }
    }

    /** Returns the column that a key or an order means: by its place, its alias or its expression; null if it is none. */
    private Item itemOf(Part part) {
        List<Item> items = select.items();
        if (SelectStatement.isPlace(part.text())) {
            int place = Integer.parseInt(part.text());
            if (place <= items.size()) {
                return items.get(place - 1);
            }
            mistake(part.from(), "there are only " + items.size() + " columns, and none at place " + place);
            return null;
        }
        String name = Expressions.columnName(part.text());
        return items.stream()
                .filter(item -> item.alias() != null && item.alias().text().equalsIgnoreCase(name)
                        || SelectStatement.areSame(item.expression().text(), part.text()))
                .findFirst()
                .orElse(null);
    }

    private static String name(Item item) {
        String column = Expressions.columnName(item.expression().text());
        return item.alias() != null
                ? item.alias().text()
                : column != null ? column : item.expression().text();
    }

    private YamlNode aggregate() {
        Part from = select.from().name();
        YamlNodes.Mapping aggregate = nodes.new Mapping(from.from());
        YamlNodes.Mapping measures =
                nodes.new Mapping(select.items().get(0).expression().from());
        Set<String> names = new HashSet<>();
        select.items().forEach(item -> add(item, measures, names));
        for (Key key : keys) {
            if (!shown.contains(key)) {
                mistake(
                        key.place(),
                        "a key of groups is a column of the result, too: add " + key.name() + " to SELECT");
            }
        }
        if (measures.isEmpty() && !mistakes.any()) {
            mistake(
                    select.items().get(0).expression().from(),
                    "SELECT needs an aggregate function, such as count(*) or sum(x): rows themselves are not returned");
        }
        if (!keys.isEmpty()) {
            aggregate.put(
                    "group_by",
                    nodes.list(
                            keys.stream()
                                    .map(key -> nodes.text(key.name(), key.place()))
                                    .toList(),
                            keys.get(0).place()));
        }
        aggregate.put("measures", measures.node());
        window(aggregate);
        if (select.having() != null) {
            aggregate.put(
                    "having",
                    nodes.text(ofKeys(select.having()), select.having().from()));
        }
        selection(aggregate);
        return aggregate.node();
    }

    private void add(Item item, YamlNodes.Mapping measures, Set<String> names) {
        Part expression = item.expression();
        int place = item.alias() != null ? item.alias().from() : expression.from();
        if (expression.text().equals("*")) {
            mistake(place, "SELECT * is not supported: name the columns, and what is computed of the others");
            return;
        }
        String name = name(item);
        if (!names.add(name)) {
            mistake(place, "there are two columns " + name + ": name one of them with AS");
            return;
        }
        String column = Expressions.columnName(expression.text());
        if (column != null
                && WINDOW_BOUNDS.contains(column.toLowerCase(Locale.ROOT))
                && select.from().window() != null) {
            if (item.alias() != null && !item.alias().text().equalsIgnoreCase(column)) {
                mistake(place, column + " cannot have another name");
            }
            return; // Sinks write it with each row.
        }
        Key key = keys.stream()
                .filter(each -> each.name().equals(name)
                        || each.expression() != null
                                && SelectStatement.areSame(each.expression().text(), expression.text()))
                .findFirst()
                .orElse(null);
        if (key != null) {
            shown.add(key);
        } else if (isAggregate(expression) || column == null) {
            measures.put(name, nodes.text(ofKeys(expression), expression.from()));
        } else {
            mistake(
                    expression.from(),
                    column + " is neither a key of GROUP BY nor in an aggregate function: add it to GROUP BY, or write"
                            + " any_value(" + column + ") or max(" + column + ")");
        }
    }

    /** Returns an expression with the names of keys in place of the expressions that they are computed of. */
    private String ofKeys(Part part) {
        String text = part.text();
        for (Key key : keys) {
            if (key.expression() != null) {
                text = SelectStatement.withName(text, key.expression().text(), Expressions.written(key.name()));
            }
        }
        return text;
    }

    private void window(YamlNodes.Mapping aggregate) {
        SelectStatement.Window window = select.from().window();
        if (window == null) {
            if (groupsByWindow) {
                mistake(
                        select.groupBy().get(0).from(),
                        "window_start and window_end need windows: write FROM TUMBLE(TABLE t, DESCRIPTOR(time), INTERVAL"
                                + " '1' HOUR)");
            }
            return;
        }
        if (!groupsByWindow) {
            mistake(
                    window.function().from(),
                    "the groups of " + window.function().text().toUpperCase(Locale.ROOT)
                            + " are those of its windows: add window_start, window_end to GROUP BY");
        }
        length("every", window.size(), window, aggregate);
        if (window.slide() != null) {
            length("slide", window.slide(), window, aggregate);
        }
        if (window.zone() != null) {
            aggregate.put("zone", nodes.text(window.zone().text(), window.zone().from()));
        }
    }

    private void length(String key, Part interval, SelectStatement.Window window, YamlNodes.Mapping aggregate) {
        String length = SqlIntervals.window(interval.text(), window.zone() != null);
        if (length == null) {
            mistake(
                    interval.from(),
                    "windows are of some MILLISECONDs to DAYs, or of one WEEK, MONTH, QUARTER or YEAR, not of "
                            + interval.text());
        } else {
            aggregate.put(key, nodes.text(length, interval.from()));
        }
    }

    private void selection(YamlNodes.Mapping aggregate) {
        boolean hasWindows = select.from().window() != null;
        SelectStatement.Qualify qualify = select.qualify();
        if (qualify != null) {
            List<Part> per = withoutBounds(qualify.per());
            if (hasWindows && per.size() == qualify.per().size()) {
                mistake(
                        qualify.rows().from(),
                        "the first rows are those of a window: add window_start to PARTITION BY");
            }
            YamlNodes.Mapping top = nodes.new Mapping(qualify.rows().from());
            top.put("rows", nodes.text(qualify.rows().text(), qualify.rows().from()));
            top.put(
                    "per",
                    nodes.list(
                            per.stream()
                                    .map(each -> nodes.text(named(each), each.from()))
                                    .toList(),
                            qualify.rows().from()));
            top.put("by", orders(qualify.order()));
            aggregate.put("top", top.node());
        }
        List<OrderItem> order = new ArrayList<>(select.orderBy());
        if (hasWindows && !order.isEmpty()) {
            OrderItem first = order.get(0);
            if (!isBound(first.expression()) || first.descending()) {
                mistake(
                        first.expression().from(),
                        "the rows of a window are written when it ends: ORDER BY window_start comes first");
            }
            order.removeIf(each -> isBound(each.expression()));
        }
        if (!order.isEmpty()) {
            aggregate.put("order_by", orders(order));
        }
        if (select.limit() != null && hasWindows) {
            mistake(
                    select.limit().from(),
                    "LIMIT is not supported with windows, which have no end: write QUALIFY row_number() OVER (PARTITION"
                            + " BY window_start ORDER BY n DESC) <= 10");
        } else if (select.limit() != null) {
            aggregate.put(
                    "limit", nodes.text(select.limit().text(), select.limit().from()));
        }
    }

    private static boolean isBound(Part part) {
        String name = Expressions.columnName(part.text());
        return name != null && WINDOW_BOUNDS.contains(name.toLowerCase(Locale.ROOT));
    }

    private static List<Part> withoutBounds(List<Part> parts) {
        return parts.stream().filter(part -> !isBound(part)).toList();
    }

    private YamlNode orders(List<OrderItem> orders) {
        List<YamlNode> texts = new ArrayList<>();
        for (OrderItem each : orders) {
            String name = ordered(each.expression());
            texts.add(nodes.text(
                    name + (each.descending() ? " desc" : ""), each.expression().from()));
        }
        return nodes.list(
                texts, orders.isEmpty() ? 0 : orders.get(0).expression().from());
    }

    /** Returns the column that an order means, or its expression. */
    private String ordered(Part part) {
        Item item = itemOf(part);
        return item == null ? ofKeys(part) : Expressions.written(name(item));
    }

    private String named(Part part) {
        Item item = itemOf(part);
        String column = Expressions.columnName(part.text());
        return item != null ? name(item) : column != null ? column : part.text();
    }

    private void flatten(YamlNodes.Mapping sections) {
        YamlNodes.Mapping flatten =
                nodes.new Mapping(sections.get("flatten"), select.from().name().from());
        if (flatten.get("fields") != null && flatten.get("infer") == null) {
            flatten.put("infer", nodes.text("true", 0));
        }
        YamlNodes.Mapping derive = nodes.new Mapping(flatten.get("derive"), 0);
        for (Key key : keys) {
            if (key.expression() != null) {
                derive.put(
                        key.name(),
                        nodes.text(key.expression().text(), key.expression().from()));
            }
        }
        if (!derive.isEmpty()) {
            flatten.put("derive", derive.node());
        }
        YamlNode filter = flatten.get("filter");
        if (select.where() != null) {
            String text = filter == null
                    ? select.where().text()
                    : "(" + select.where().text() + ") AND (" + filter.text() + ")";
            flatten.put("filter", nodes.text(text, select.where().from()));
        }
        if (!flatten.isEmpty()) {
            sections.put("flatten", flatten.node());
        }
    }

    private void time(YamlNodes.Mapping sections) {
        SelectStatement.Window window = select.from().window();
        if (window == null) {
            sections.remove("time");
            return;
        }
        YamlNode given = sections.get("time");
        String name = window.time().text();
        if (given != null && given.isScalar()) {
            return; // The source says that its own time counts.
        }
        YamlNodes.Mapping time = nodes.new Mapping(given, window.time().from());
        sections.put(
                "time",
                time.put("field", nodes.text(name, window.time().from())).node());
    }
}
