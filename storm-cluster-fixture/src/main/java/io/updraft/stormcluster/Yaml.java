package io.updraft.stormcluster;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes the subset of YAML that {@code storm.yaml} needs here, in flow style. */
final class Yaml {

    private Yaml() {}

    /** Returns the text of a value: a map, a collection, a number, a boolean, or anything else as a string. */
    static String of(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> of(entry.getKey().toString()) + ": " + of(entry.getValue()))
                    .collect(Collectors.joining(",\n", "{", "}"));
        }
        if (value instanceof Collection<?> values) {
            return values.stream().map(Yaml::of).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value == null || value instanceof Number || value instanceof Boolean) {
            return String.valueOf(value);
        }
        return '"' + value.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
