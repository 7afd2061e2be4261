package io.updraft.observe.view;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Records of one kind in JSON: the names of the columns once, then a list of values for each record. That takes a third of the
 * bytes of an object for each.
 *
 * @param columns the names of the members
 * @param rows the values of each record, in the order of the columns
 */
public record RecordTable(List<String> columns, List<List<Object>> rows) {

    /** {@return the table of these records} */
    public static RecordTable of(List<? extends Record> records) {
        return of(records, false);
    }

    /** {@return the table of these records in few bytes: numbers are rounded, and a latency of which nothing was recorded is null} */
    public static RecordTable compact(List<? extends Record> records) {
        return of(records, true);
    }

    private static RecordTable of(List<? extends Record> records, boolean compact) {
        List<JsonObject> all = records.stream().map(Json::members).toList();
        Set<String> columns = new LinkedHashSet<>();
        all.forEach(members -> columns.addAll(members.keySet()));
        List<List<Object>> rows = new ArrayList<>();
        for (JsonObject members : all) {
            List<Object> row = new ArrayList<>();
            columns.forEach(column -> row.add(compact ? compact(column, members.get(column)) : members.get(column)));
            rows.add(row);
        }
        return new RecordTable(List.copyOf(columns), rows);
    }

    private static Object compact(String column, Object value) {
        if (value instanceof Double number) {
            return rounded(number);
        }
        return value instanceof Long number && number == 0 && column.endsWith("Nanos") ? null : value;
    }

    /** {@return a value with three digits at least; more would only cost bytes} */
    private static double rounded(double value) {
        double size = Math.abs(value);
        double unit = size >= 100 ? 1 : size >= 1 ? 100 : 10_000;
        return Math.round(value * unit) / unit;
    }
}
