package io.updraft.bench.spec;

import java.util.List;
import java.util.Map;

/** Typed access to the members of a JSON object. */
final class Field {

    private Field() {}

    static long asLong(Map<String, Object> json, String name) {
        return ((Number) required(json, name)).longValue();
    }

    static int asInt(Map<String, Object> json, String name) {
        return Math.toIntExact(asLong(json, name));
    }

    static double asDouble(Map<String, Object> json, String name) {
        return ((Number) required(json, name)).doubleValue();
    }

    static boolean asBoolean(Map<String, Object> json, String name) {
        return (Boolean) required(json, name);
    }

    static String asString(Map<String, Object> json, String name) {
        return (String) required(json, name);
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> asObject(Map<String, Object> json, String name) {
        return (Map<String, Object>) json.get(name);
    }

    static List<String> asStrings(Map<String, Object> json, String name) {
        return ((List<?>) required(json, name)).stream().map(String::valueOf).toList();
    }

    private static Object required(Map<String, Object> json, String name) {
        Object value = json.get(name);
        if (value == null) {
            throw new IllegalArgumentException("no \"" + name + "\" in " + json);
        }
        return value;
    }
}
