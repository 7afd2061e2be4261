package io.updraft.observe.view;

import io.updraft.base.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Describes many things of one kind in JSON: the names of the columns once, then a list of values for each thing. That takes a third
 * of the bytes of an object for each.
 *
 * @param <T> the things
 */
public final class JsonTable<T> {
    private final Map<String, Function<T, Object>> columns = new LinkedHashMap<>();

    /** Adds a column. Returns this table. */
    public JsonTable<T> with(String name, Function<T, Object> value) {
        columns.put(name, value);
        return this;
    }

    /** Adds all columns of another table. Returns this table. */
    public JsonTable<T> with(JsonTable<T> other) {
        columns.putAll(other.columns);
        return this;
    }

    /** {@return the table of these things} */
    public JsonObject of(List<T> things) {
        List<Object> rows = new ArrayList<>();
        for (T thing : things) {
            rows.add(columns.values().stream().map(value -> value.apply(thing)).toList());
        }
        return JsonObject.of("columns", List.copyOf(columns.keySet())).with("rows", rows);
    }

    /** Puts all columns of one thing into an object. */
    public void putTo(JsonObject object, T thing) {
        columns.forEach((name, value) -> object.put(name, value.apply(thing)));
    }
}
