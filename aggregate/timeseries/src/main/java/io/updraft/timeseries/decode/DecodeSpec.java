package io.updraft.timeseries.decode;

import io.updraft.timeseries.expression.ExpressionException;
import io.updraft.timeseries.expression.Expressions;
import io.updraft.timeseries.record.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The format of records, and the rows to make of them. Immutable.
 *
 * @param format the format of records
 * @param csv the format of CSV; {@link CsvFormat#STANDARD} if null
 * @param explode JSON: the path of an array or object. Each of its elements or members gives a row, with the record's other
 *     columns repeated. A record without it gives no row. Null for one row for each record; may be omitted where a column's
 *     path contains {@code [*]}
 * @param columns the columns that are read from records
 * @param derived the derived columns
 * @param filter an expression that is true for the rows to keep; null for all
 * @see Expressions the grammar of expressions
 */
public record DecodeSpec(
        Format format,
        CsvFormat csv,
        String explode,
        List<DecodedColumn> columns,
        List<DerivedColumn> derived,
        String filter) {

    /**
     * Creates a specification. {@link #schema} and {@link Decoder#create} check the expressions later.
     *
     * @throws IllegalArgumentException when there is no column, a path is invalid or ambiguous, or paths do not fit together
     */
    public DecodeSpec {
        Objects.requireNonNull(format, "format");
        csv = csv == null ? CsvFormat.STANDARD : csv;
        columns = List.copyOf(columns);
        derived = List.copyOf(derived);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("at least one column is needed");
        }
        if (format == Format.JSON) {
            explode = JsonPath.check(explode, contentColumns(columns));
        } else if (explode != null) {
            throw new IllegalArgumentException("CSV has no arrays to explode: remove explode " + explode);
        } else {
            for (DecodedColumn column : contentColumns(columns)) {
                if (!csv.isUnique(column.path())) {
                    throw new IllegalArgumentException("column " + column.path() + " of CSV comes twice: the CSV must"
                            + " have one column of the name that is read");
                }
            }
        }
    }

    private static List<DecodedColumn> contentColumns(List<DecodedColumn> columns) {
        return columns.stream().filter(column -> column.from() == null).toList();
    }

    /** Returns the names of the headers that columns read. */
    public List<String> headers() {
        return columns.stream()
                .filter(column -> column.from() != null && column.from().header() != null)
                .map(column -> column.from().header())
                .distinct()
                .toList();
    }

    /** Returns whether a column reads an attribute of records. */
    public boolean reads(RecordAttribute.Kind kind) {
        return columns.stream()
                .anyMatch(column -> column.from() != null && column.from().kind() == kind);
    }

    /** Returns a specification for JSON with these columns. */
    public static DecodeSpec json(DecodedColumn... columns) {
        return new DecodeSpec(Format.JSON, null, null, List.of(columns), List.of(), null);
    }

    /** Returns a specification for JSON with these columns, and a row for each element of the value at a path. */
    public static DecodeSpec exploding(String path, DecodedColumn... columns) {
        return new DecodeSpec(Format.JSON, null, path, List.of(columns), List.of(), null);
    }

    /** Returns a specification for CSV with these columns. */
    public static DecodeSpec csv(CsvFormat csv, DecodedColumn... columns) {
        return new DecodeSpec(Format.CSV, csv, null, List.of(columns), List.of(), null);
    }

    /** Returns a copy with one more derived column. */
    public DecodeSpec deriving(String name, String expression) {
        List<DerivedColumn> withDerived = new ArrayList<>(derived);
        withDerived.add(new DerivedColumn(name, expression));
        return new DecodeSpec(format, csv, explode, columns, withDerived, filter);
    }

    /** Returns a copy with a filter. */
    public DecodeSpec keeping(String condition) {
        return new DecodeSpec(format, csv, explode, columns, derived, condition);
    }

    /**
     * Returns the schema of the rows: the columns, then the derived columns.
     *
     * @throws ExpressionException when an expression is invalid
     * @throws IllegalArgumentException when a name comes twice
     */
    public Schema schema() {
        return RowExpressions.of(this).valid().schema();
    }

    /** Returns the fields of the columns, without derived ones, as a new list. */
    public List<Schema.Field> columnFields() {
        return columns.stream().map(DecodedColumn::field).collect(Collectors.toCollection(ArrayList::new));
    }

    /** The format of the records of a source. */
    public enum Format {
        /** Each record is one JSON value (RFC 8259), usually an object. In chunks of lines, each record is one line. */
        JSON,
        /** Comma-separated values (RFC 4180); {@link CsvFormat} has the details. */
        CSV
    }
}
