package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.Field;
import io.updraft.timeseries.record.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What records look like, and what rows are made of them. Immutable.
 *
 * @param format how records are written
 * @param csv how CSV is written; {@link CsvFormat#STANDARD} if null
 * @param explode JSON: the path of an array or object whose elements or members give a row each, with the record's other columns
 *     repeated; a record without it gives none. Null for a row per record; may be left out where a column's path has
 *     {@code [*]}
 * @param columns what rows have that records tell
 * @param derived what rows have besides, each as {@code name = expression} of columns and of what was derived before it
 * @param filter an expression that is true for the rows to keep; null for all
 * @see Expressions the grammar of expressions
 */
public record DecodeSpec(
        Format format, CsvFormat csv, String explode, List<Column> columns, List<String> derived, String filter) {

    /**
     * What records look like, and what rows are made of them. Expressions are checked later, by {@link #schema} and
     * {@link Decoders#create}.
     *
     * @throws IllegalArgumentException when there is no column, a path is none, or paths do not go together
     */
    public DecodeSpec {
        Objects.requireNonNull(format, "format");
        csv = csv == null ? CsvFormat.STANDARD : csv;
        columns = List.copyOf(columns);
        derived = List.copyOf(derived);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("at least one column is needed");
        }
        explode = format == Format.JSON ? JsonPaths.check(explode, columns) : noExplode(explode);
    }

    /** Rows of JSON with these columns. */
    public static DecodeSpec json(Column... columns) {
        return new DecodeSpec(Format.JSON, null, null, List.of(columns), List.of(), null);
    }

    /** Rows of JSON with these columns, one for each element of what is at a path. */
    public static DecodeSpec exploding(String path, Column... columns) {
        return new DecodeSpec(Format.JSON, null, path, List.of(columns), List.of(), null);
    }

    /** Rows of CSV with these columns. */
    public static DecodeSpec csv(CsvFormat csv, Column... columns) {
        return new DecodeSpec(Format.CSV, csv, null, List.of(columns), List.of(), null);
    }

    /** The same with one more derived field, {@code name = expression}. */
    public DecodeSpec deriving(String definition) {
        List<String> all = new ArrayList<>(derived);
        all.add(definition);
        return new DecodeSpec(format, csv, explode, columns, all, filter);
    }

    /** The same with a filter. */
    public DecodeSpec keeping(String condition) {
        return new DecodeSpec(format, csv, explode, columns, derived, condition);
    }

    /**
     * What rows look like: the columns, then what is derived.
     *
     * @throws ExpressionException when an expression is wrong
     * @throws IllegalArgumentException when a name comes twice
     */
    public Schema schema() {
        List<Field> fields = new ArrayList<>();
        columns.forEach(column -> fields.add(new Field(column.name(), column.type())));
        for (String definition : derived) {
            fields.add(Expressions.definition(definition, new Schema(fields)).field());
        }
        Schema schema = new Schema(fields);
        if (filter != null) {
            Expressions.condition(filter, schema);
        }
        return schema;
    }

    private static String noExplode(String explode) {
        if (explode != null) {
            throw new IllegalArgumentException("CSV has nothing to explode, but explode is " + explode);
        }
        return null;
    }
}
