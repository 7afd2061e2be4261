package io.updraft.bench.compat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.MappingNode;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.Node;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.NodeTuple;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * One map of a YAML file, with the line of each key. A getter throws an {@link IllegalArgumentException} that names file and
 * line when the value has another type.
 */
final class YamlEntry {
    private final Path file;
    private final int line;
    private final Map<?, ?> values;
    private final Map<String, Integer> lines = new LinkedHashMap<>();

    /**
     * @param file the YAML file, for messages
     * @param node the map's node, for its lines
     * @param value the map's loaded value
     */
    YamlEntry(Path file, Node node, Object value) {
        this.file = file;
        this.line = lineOf(node);
        if (!(node instanceof MappingNode mapping) || !(value instanceof Map<?, ?> map)) {
            throw wrong(line, "expected a map with 'main: <class>' and optional keys");
        }
        this.values = map;
        for (NodeTuple pair : mapping.getValue()) {
            if (pair.getKeyNode() instanceof ScalarNode key) {
                lines.put(key.getValue(), lineOf(key));
            }
        }
    }

    private static int lineOf(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    /** Throws if the map has a key that is not in {@code keys}. */
    void knowsOnly(List<String> keys) {
        for (Object key : values.keySet()) {
            if (!keys.contains(String.valueOf(key))) {
                throw wrong(String.valueOf(key), "unknown key '" + key + "'; the keys are " + String.join(", ", keys));
            }
        }
    }

    /** {@return the text of a key, or {@code otherwise} if the key is missing} */
    String text(String key, String otherwise) {
        Object value = values.get(key);
        if (value instanceof Map || value instanceof List) {
            throw wrong(key, "'" + key + "' must be a text");
        }
        return value == null ? otherwise : value.toString();
    }

    /** {@return the positive whole number of a key, or 0 if the key is missing} */
    int count(String key) {
        Object value = values.get(key);
        if (value != null && !(value instanceof Integer n && n > 0)) {
            throw wrong(key, "'" + key + "' must be a whole number above 0, not '" + value + "'");
        }
        return value == null ? 0 : (Integer) value;
    }

    /** {@return the boolean of a key, or false if the key is missing} */
    boolean flag(String key) {
        Object value = values.get(key);
        if (value != null && !(value instanceof Boolean)) {
            throw wrong(key, "'" + key + "' must be true or false, not '" + value + "'");
        }
        return Boolean.TRUE.equals(value);
    }

    /** {@return the texts of a key, given as a list or as a single value; empty if the key is missing} */
    List<String> texts(String key) {
        Object value = values.get(key);
        if (value instanceof Map) {
            throw wrong(key, "'" + key + "' must be a list");
        }
        if (value instanceof List<?> list) {
            return list.stream().map(String::valueOf).toList();
        }
        return value == null ? List.of() : List.of(value.toString());
    }

    /** {@return the regular expressions of a key, given as a list or as a single value} */
    List<Pattern> patterns(String key) {
        try {
            return texts(key).stream().map(Pattern::compile).toList();
        } catch (PatternSyntaxException e) {
            throw wrong(
                    key, "'" + key + "': " + e.getMessage().lines().findFirst().orElse("not a regular expression"));
        }
    }

    /** {@return the map of a key, with names and values as text} */
    Map<String, String> map(String key) {
        Object value = values.get(key);
        if (value != null && !(value instanceof Map)) {
            throw wrong(key, "'" + key + "' must be a map");
        }
        Map<String, String> map = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> given) {
            given.forEach((name, setting) -> map.put(String.valueOf(name), String.valueOf(setting)));
        }
        return map;
    }

    /** {@return the exception for a wrong value of a key; its message starts with file and line} */
    IllegalArgumentException wrong(String key, String what) {
        return wrong(lines.getOrDefault(key, line), what);
    }

    private IllegalArgumentException wrong(int where, String what) {
        return new IllegalArgumentException(file + ":" + where + ": " + what);
    }
}
