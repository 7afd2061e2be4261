package io.updraft.storm.conf;

import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Finds the place where a configuration contains itself: such a configuration cannot be written as JSON. */
public final class ConfCycle {
    private final Set<Object> open = Collections.newSetFromMap(new IdentityHashMap<>());

    private ConfCycle() {}

    /**
     * {@return the path to a value that contains itself, such as {@code a.b[2]}; empty if there is none}
     *
     * @param conf the configuration; may be null
     */
    public static Optional<String> in(Map<String, ?> conf) {
        return Optional.ofNullable(conf == null ? null : new ConfCycle().find(conf, ""));
    }

    private String find(Object value, String path) {
        List<Map.Entry<String, Object>> children = new ArrayList<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, child) ->
                    children.add(new SimpleEntry<>(path.isEmpty() ? "" + key : path + "." + key, child)));
        } else if (value instanceof Collection<?> list) {
            list.forEach(child -> children.add(new SimpleEntry<>(path + "[" + children.size() + "]", child)));
        } else {
            return null;
        }
        if (!open.add(value)) {
            return path;
        }
        String found = children.stream()
                .map(child -> find(child.getValue(), child.getKey()))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        open.remove(value);
        return found;
    }
}
