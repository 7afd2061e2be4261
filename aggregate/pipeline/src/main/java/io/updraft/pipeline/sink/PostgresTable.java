package io.updraft.pipeline.sink;

import io.updraft.pipeline.text.RowText;
import io.updraft.timeseries.record.Decimals;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The target table of results: its SQL statements, and the check of its columns and key. */
final class PostgresTable {

    private static final int NULLS_NOT_DISTINCT_SINCE = 15;
    private static final String STAGE = "updraft_stage";
    /** The SQLSTATE of a value that is too long for its column. */
    private static final String UNFIT = "22001";

    private static final int NONDETERMINISTIC_SINCE = 12;
    /** The offset of precision and scale in the modifier of {@code numeric}. */
    private static final int NUMERIC_MODIFIER = 4;

    private static final String COLUMNS = """
            SELECT a.attname, t.typname, a.attnotnull AND NOT a.atthasdef AND a.attidentity = '', a.attnotnull,
                   format_type(a.atttypid, a.atttypmod), a.atttypmod, %s
            FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_collation c ON c.oid = a.attcollation
            WHERE a.attrelid = to_regclass(?) AND a.attnum > 0 AND NOT a.attisdropped""";
    /** The columns of each unique index over all rows, and whether it treats nulls as equal. */
    private static final String KEYS = """
            SELECT %s, array(SELECT a.attname::text FROM pg_attribute a
                             WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey[0:i.indnkeyatts - 1]))
            FROM pg_index i
            WHERE i.indrelid = to_regclass(?) AND i.indisunique AND i.indisvalid AND i.indpred IS NULL
                  AND i.indexprs IS NULL AND i.indimmediate""";

    private final String name;
    private List<Schema.Field> fields;
    private List<String> keys;
    private String columnList;
    /** The columns whose type limits values, and the condition of a value that the column cannot hold unchanged. */
    private final Map<String, String> limits = new LinkedHashMap<>();

    /** The types of these columns, with their limits. */
    private final Map<String, String> fullTypes = new LinkedHashMap<>();

    /** The type of each column in the staging table: that of the target, without its limits. */
    private final Map<String, String> stageTypes = new LinkedHashMap<>();

    private record Column(
            String type, boolean needed, boolean notNull, String fullType, int modifier, boolean isDeterministic) {}

    PostgresTable(String name) {
        int dot = name.indexOf('.');
        this.name = dot < 0 ? quote(name) : quote(name.substring(0, dot)) + "." + quote(name.substring(dot + 1));
    }

    void results(Schema columns, int dimensions) {
        fields = new ArrayList<>();
        for (String column : RowText.WINDOW) {
            fields.add(new Schema.Field(column, FieldType.TIME));
        }
        fields.addAll(columns.fields());
        keys = fields.subList(0, RowText.WINDOW.length + dimensions).stream()
                .map(Schema.Field::name)
                .toList();
        columnList = fields.stream().map(field -> quote(field.name())).collect(Collectors.joining(", "));
    }

    static String quote(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    private String keyList() {
        return keys.stream().map(PostgresTable::quote).collect(Collectors.joining(", "));
    }

    void create(Connection connection, Statement statement) throws SQLException {
        if (!columns(connection).isEmpty()) {
            return;
        }
        String columns = fields.stream().map(PostgresTable::definition).collect(Collectors.joining(", "));
        String unique = nullsAreEqual(connection) ? "UNIQUE NULLS NOT DISTINCT" : "UNIQUE";
        statement.execute(
                "CREATE TABLE IF NOT EXISTS " + name + " (" + columns + ", " + unique + " (" + keyList() + "))");
    }

    private static String definition(Schema.Field field) {
        boolean window = List.of(RowText.WINDOW).contains(field.name());
        return quote(field.name()) + " " + type(field) + (window ? " NOT NULL" : "");
    }

    private static String type(Schema.Field field) {
        return switch (field.type()) {
            case TEXT -> "text";
            case LONG -> "bigint";
            case DOUBLE -> "double precision";
            case DECIMAL -> "numeric(" + Decimals.MAX_DIGITS + ", " + field.scale() + ")";
            case BOOLEAN -> "boolean";
            case TIME -> "timestamptz";
        };
    }

    private static List<String> accepted(FieldType type) {
        return switch (type) {
            case TEXT -> List.of("text", "varchar", "bpchar");
            case LONG -> List.of("int8", "numeric");
            case DOUBLE -> List.of("float8", "numeric");
            case DECIMAL -> List.of("numeric");
            case BOOLEAN -> List.of("bool");
            case TIME -> List.of("timestamptz");
        };
    }

    private static boolean nullsAreEqual(Connection connection) throws SQLException {
        return connection.getMetaData().getDatabaseMajorVersion() >= NULLS_NOT_DISTINCT_SINCE;
    }

    /** Returns why the table does not fit the results; empty if it fits. */
    List<String> mistakes(Connection connection) throws SQLException {
        Map<String, Column> there = columns(connection);
        if (there.isEmpty()) {
            return List.of("there is no such table on the search path; create it, or set 'create: true'");
        }
        List<String> mistakes = new ArrayList<>();
        limits.clear();
        stageTypes.clear();
        fields.forEach(field -> check(field, there.remove(field.name()), mistakes));
        there.forEach((column, is) -> {
            if (is.needed()) {
                mistakes.add("column " + column + " must not be null, but the results have no such column");
            }
        });
        if (mistakes.isEmpty()) {
            checkKey(connection, mistakes);
        }
        return mistakes;
    }

    private void check(Schema.Field field, Column column, List<String> mistakes) {
        if (column == null) {
            mistakes.add("column " + field.name() + " (" + type(field) + ") is missing");
        } else if (!accepted(field.type()).contains(column.type())) {
            mistakes.add("column " + field.name() + " is of type " + column.type() + ", not " + type(field));
        } else if (keys.contains(field.name()) && !column.isDeterministic()) {
            mistakes.add("column " + field.name()
                    + " has a nondeterministic collation, by which different groups are the same row");
        } else {
            stageTypes.put(field.name(), column.type().equals("numeric") ? "numeric" : type(field));
            if (column.modifier() >= 0) {
                limit(field, column);
            }
        }
    }

    /**
     * Notes which values a column would cut, trim, round or refuse. Rounding a measure is the purpose of its type; a rounded
     * dimension would be that of another group.
     */
    private void limit(Schema.Field field, Column column) {
        fullTypes.put(field.name(), column.fullType());
        String value = quote(field.name());
        boolean isKey = keys.contains(field.name());
        if (field.type() == FieldType.TEXT) {
            limits.put(field.name(), "(" + value + "::" + column.fullType() + ")::text <> " + value);
        } else if (column.type().equals("numeric")) {
            limits.put(field.name(), beyond(value, column.modifier() - NUMERIC_MODIFIER, isKey));
        } else if (isKey) {
            limits.put(field.name(), value + "::" + column.fullType() + " <> " + value);
        }
    }

    private static String beyond(String value, int modifier, boolean unrounded) {
        int precision = modifier >> 16;
        // Since PostgreSQL 15 the scale has 11 bits with a sign; before, it fits into 10.
        int scale = (modifier & 0x7FF ^ 0x400) - 0x400;
        String rounded = "round(" + value + ", " + scale + ")";
        String condition = value + " <> 'NaN' AND abs(" + rounded + ") >= 1e" + (precision - scale);
        return unrounded ? condition + " OR " + rounded + " <> " + value : condition;
    }

    private Map<String, Column> columns(Connection connection) throws SQLException {
        Map<String, Column> columns = new LinkedHashMap<>();
        boolean mayIgnoreCase = connection.getMetaData().getDatabaseMajorVersion() >= NONDETERMINISTIC_SINCE;
        String deterministic = mayIgnoreCase ? "coalesce(c.collisdeterministic, true)" : "true";
        try (PreparedStatement statement = connection.prepareStatement(COLUMNS.formatted(deterministic))) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    columns.put(
                            row.getString(1),
                            new Column(
                                    row.getString(2),
                                    row.getBoolean(3),
                                    row.getBoolean(4),
                                    row.getString(5),
                                    row.getInt(6),
                                    row.getBoolean(7)));
                }
            }
        }
        return columns;
    }

    /**
     * Checks for a unique key, by which rows are found. A missing dimension must equal other missing ones, or be impossible.
     */
    private void checkKey(Connection connection, List<String> mistakes) throws SQLException {
        boolean hasKey = false;
        boolean nullsSafe = dimensionsAreNeverNull(connection);
        String equal = nullsAreEqual(connection) ? "i.indnullsnotdistinct" : "false";
        try (PreparedStatement statement = connection.prepareStatement(KEYS.formatted(equal))) {
            statement.setString(1, name);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    if (sameColumns((String[]) row.getArray(2).getArray())) {
                        hasKey = true;
                        nullsSafe |= row.getBoolean(1);
                    }
                }
            }
        }
        if (!hasKey || !nullsSafe) {
            mistakes.add("it needs a unique key over window and dimensions that treats nulls as equal: ALTER"
                    + " TABLE " + name
                    + " ADD UNIQUE NULLS NOT DISTINCT (" + keyList()
                    + "); before PostgreSQL 15, make these columns NOT NULL instead");
        }
    }

    private boolean sameColumns(String[] columns) {
        return columns.length == keys.size() && List.of(columns).containsAll(keys);
    }

    private boolean dimensionsAreNeverNull(Connection connection) throws SQLException {
        Map<String, Column> columns = columns(connection);
        return keys.stream().allMatch(key -> columns.get(key).notNull());
    }

    /** Returns the SQL that creates the staging table, whose columns hold any value of a result; a commit empties it. */
    String createStage() {
        String columns = stageTypes.entrySet().stream()
                .map(column -> quote(column.getKey()) + " " + column.getValue())
                .collect(Collectors.joining(", "));
        return "CREATE TEMPORARY TABLE " + STAGE + " (" + columns + ") ON COMMIT DELETE ROWS";
    }

    /** Returns the SQL that finds the name of a column that cannot hold a value of the staging table; no row if all fit. */
    private String unfit() {
        String cases = limits.entrySet().stream()
                .map(limit ->
                        "WHEN " + limit.getValue() + " THEN '" + limit.getKey().replace("'", "''") + "'")
                .collect(Collectors.joining(" "));
        return "SELECT updraft_unfit FROM (SELECT CASE " + cases + " END AS updraft_unfit FROM " + STAGE
                + ") AS found WHERE updraft_unfit IS NOT NULL LIMIT 1";
    }

    /** Returns the name of a column of the table by its place in the text of a row. */
    String column(int index) {
        return fields.get(index).name();
    }

    /** Merges the staging table into the target, and empties it. Fails if a value does not fit into its column. */
    void mergeStage(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!limits.isEmpty()) {
                checkLimits(statement);
            }
            statement.executeUpdate(merge());
            statement.execute("TRUNCATE " + STAGE);
        }
    }

    private void checkLimits(Statement statement) throws SQLException {
        try (ResultSet found = statement.executeQuery(unfit())) {
            if (found.next()) {
                String type = fullTypes.get(found.getString(1));
                throw new SQLException(
                        found.getString(1) + ": the value does not fit into a column of type " + type, UNFIT);
            }
        }
    }

    String copy() {
        return "COPY " + STAGE + " (" + columnList + ") FROM STDIN";
    }

    /** Returns the SQL that merges the staging table into the target; rows with the same key are replaced. */
    private String merge() {
        String set = fields.stream()
                .map(Schema.Field::name)
                .filter(column -> !keys.contains(column))
                .map(column -> quote(column) + " = excluded." + quote(column))
                .collect(Collectors.joining(", "));
        return "INSERT INTO " + name + " (" + columnList + ") SELECT " + columnList + " FROM " + STAGE
                + " ON CONFLICT (" + keyList() + ") DO UPDATE SET " + set;
    }
}
