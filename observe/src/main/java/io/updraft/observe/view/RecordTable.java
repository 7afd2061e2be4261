package io.updraft.observe.view;

import io.updraft.base.json.Inlined;
import io.updraft.base.json.Json;
import io.updraft.base.json.JsonObject;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Records of one kind in JSON: the names of the columns once, then a list of values for each record. That takes a third of the
 * bytes of an object for each.
 *
 * @param columns the names of the members
 * @param rows the values of each record, in the order of the columns
 */
public record RecordTable(List<String> columns, List<List<Object>> rows) {

    /**
     * Makes a table.
     *
     * @param type the kind of the records, which names the columns if there is none
     * @param records the records
     * @return the table
     */
    public static <R extends Record> RecordTable of(Class<R> type, List<R> records) {
        return of(type, records, Function.identity());
    }

    /**
     * Makes a table of few bytes: numbers are rounded.
     *
     * @param type the kind of the records, which names the columns if there is none
     * @param records the records
     * @return the table
     */
    public static <R extends Record> RecordTable compact(Class<R> type, List<R> records) {
        return of(type, records, RecordTable::compact);
    }

    private static <R extends Record> RecordTable of(Class<R> type, List<R> records, Function<Object, Object> form) {
        Set<String> columns = new LinkedHashSet<>();
        List<JsonObject> all = records.stream().map(Json::members).toList();
        all.forEach(members -> columns.addAll(members.keySet()));
        if (all.isEmpty()) {
            addColumns(type, columns);
        }
        List<List<Object>> rows = new ArrayList<>();
        for (JsonObject members : all) {
            List<Object> row = new ArrayList<>();
            columns.forEach(column -> row.add(form.apply(members.get(column))));
            rows.add(row);
        }
        return new RecordTable(List.copyOf(columns), rows);
    }

    private static void addColumns(Class<?> type, Set<String> columns) {
        for (RecordComponent component : type.getRecordComponents()) {
            if (component.isAnnotationPresent(Inlined.class)) {
                addColumns(component.getType(), columns);
            } else {
                columns.add(component.getName());
            }
        }
    }

    private static Object compact(Object value) {
        return value instanceof Double number ? rounded(number) : value;
    }

    /** {@return a value with three digits at least; more would only cost bytes} */
    private static double rounded(double value) {
        double size = Math.abs(value);
        double unit = size >= 100 ? 1 : size >= 1 ? 100 : 10_000;
        return Math.round(value * unit) / unit;
    }
}
