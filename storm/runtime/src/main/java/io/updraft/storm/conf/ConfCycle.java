package io.updraft.storm.conf;

import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the place where a configuration contains itself: such a configuration cannot be written as JSON. */
public final class ConfCycle {
    private final Set<Object> open = Collections.newSetFromMap(new IdentityHashMap<>());

    private ConfCycle() {}

    /**
     * Finds a value that contains itself.
     *
     * @param conf the configuration; may be null
     * @return the path to the value, such as {@code a.b[2]}; empty if there is none
     */
    public static Optional<String> in(Map<String, ?> conf) {
        return Optional.ofNullable(conf == null ? null : new ConfCycle().find(conf, ""));
    }

    private String find(Object value, String path) {
        if (!(value instanceof Map) && !(value instanceof Collection)) {
            return null;
        }
        if (!open.add(value)) {
            return path;
        }
        String found = value instanceof Map<?, ?> map ? inMap(map, path) : inList((Collection<?>) value, path);
        open.remove(value);
        return found;
    }

    private String inMap(Map<?, ?> map, String path) {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            String found = find(entry.getValue(), path.isEmpty() ? "" + entry.getKey() : path + "." + entry.getKey());
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private String inList(Collection<?> list, String path) {
        int index = 0;
        for (Object each : list) {
            String found = find(each, path + "[" + index++ + "]");
            if (found != null) {
                return found;
            }
        }
        return null;
    }
}
