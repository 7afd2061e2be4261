package io.updraft.pipeline.spec;

import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.decode.DerivedColumn;
import io.updraft.timeseries.expression.ExpressionException;
import io.updraft.timeseries.expression.Expressions;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Second columns of dimensions that are text because nothing else is said of them. A dimension keeps its text. Where an
 * expression or a measure needs a number, a time or a boolean, it uses the second column of the same path.
 */
final class TypedViews {

    private static final Set<FieldType> TYPED = EnumSet.complementOf(EnumSet.of(FieldType.TEXT));

    private final DecodeSpec decode;
    private final Set<String> texts;
    private final RecordSample sample;
    /** The dimensions whose second column is in the map, or that have none. */
    private final Set<String> guessed = new HashSet<>();
    /** The second columns by the names of their dimensions. */
    private final Map<String, DecodedColumn> views = new LinkedHashMap<>();

    private final Set<String> used = new LinkedHashSet<>();

    /**
     * Creates the second columns.
     *
     * @param texts the dimensions whose type is guessed
     */
    TypedViews(DecodeSpec decode, Set<String> texts, RecordSample sample) {
        this.decode = decode;
        this.texts = texts;
        this.sample = sample;
    }

    /** Returns the second column of a dimension; null if its values suggest none. It is guessed only now: guesses take long. */
    private DecodedColumn view(String name) {
        if (texts.contains(name) && guessed.add(name)) {
            DecodedColumn value = sample.value(name, false);
            if (value.type() != FieldType.TEXT && fits(named(value))) {
                views.put(name, named(value));
            }
        }
        return views.get(name);
    }

    private static DecodedColumn named(DecodedColumn value) {
        String kind = switch (value.type()) {
            case BOOLEAN -> "boolean";
            case TIME -> "time";
            default -> "number";
        };
        String name = value.name() + " as " + kind;
        return new DecodedColumn(
                name,
                value.type(),
                value.path(),
                null,
                false,
                value.time(),
                value.nullText(),
                value.guess(),
                value.numbers(),
                null,
                value.scale());
    }

    private boolean fits(DecodedColumn view) {
        try {
            new DecodeSpec(decode.format(), decode.csv(), decode.explode(), List.of(view), List.of(), null);
            return decode.columns().stream().noneMatch(column -> column.name().equals(view.name()));
        } catch (IllegalArgumentException e) {
            return false; // A name with signs of a path is a path only under its own name.
        }
    }

    /** Returns a measure of numbers that uses the second column of a dimension, if it is one of numbers. */
    Measure numeric(Measure measure) {
        DecodedColumn view = view(measure.field());
        if (view == null || view.type() != FieldType.DOUBLE && view.type() != FieldType.LONG) {
            return measure;
        }
        used.add(measure.field());
        return new Measure(measure.name(), measure.function(), view.name(), measure.quantile());
    }

    /** Returns the specification with the second columns that are used. Expressions that are wrong stay as they are. */
    DecodeSpec decode() {
        if (decode.filter() != null || !decode.derived().isEmpty()) {
            texts.forEach(this::view);
        }
        List<Schema.Field> fields = decode.columnFields();
        views.values().forEach(view -> fields.add(view.field()));
        List<DerivedColumn> derived = new ArrayList<>();
        for (DerivedColumn column : decode.derived()) {
            String expression = typed(
                    column.expression(),
                    text -> fields.add(Expressions.column(column.name(), text, new Schema(fields))
                            .field(column.name())));
            derived.add(new DerivedColumn(column.name(), expression));
        }
        String filter = decode.filter() == null
                ? null
                : typed(decode.filter(), text -> Expressions.condition(text, new Schema(fields)));
        List<DecodedColumn> columns = new ArrayList<>(decode.columns());
        used.forEach(name -> columns.add(views.get(name)));
        return used.isEmpty()
                ? decode
                : new DecodeSpec(decode.format(), decode.csv(), decode.explode(), columns, derived, filter);
    }

    /** Returns an expression with second columns if it is valid with them. Times are compared as times if they can be. */
    private String typed(String expression, Consumer<String> parse) {
        for (Map<String, String> names :
                List.of(names(Set.of(FieldType.TIME)), names(TYPED), Map.<String, String>of())) {
            String renamed = Expressions.renamed(expression, names);
            if (isValid(renamed, parse)) {
                Expressions.names(expression).stream()
                        .filter(names::containsKey)
                        .forEach(used::add);
                return renamed;
            }
        }
        return expression;
    }

    private Map<String, String> names(Set<FieldType> types) {
        Map<String, String> names = new HashMap<>();
        views.forEach((name, view) -> {
            if (types.contains(view.type())) {
                names.put(name, view.name());
            }
        });
        return names;
    }

    private static boolean isValid(String expression, Consumer<String> parse) {
        try {
            parse.accept(expression);
            return true;
        } catch (ExpressionException e) {
            return false; // If no reading is valid, the caller reports the expression as it was written.
        }
    }
}
