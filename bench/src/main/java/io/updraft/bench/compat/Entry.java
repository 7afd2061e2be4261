package io.updraft.bench.compat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.MappingNode;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.Node;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.NodeTuple;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * One map of a YAML file, which knows the line of each key. What asks it for a value of another type than it has gets an
 * {@link IllegalArgumentException} that names file and line.
 */
final class Entry {
    private final Path file;
    private final int line;
    private final Map<?, ?> values;
    private final Map<String, Integer> lines = new LinkedHashMap<>();

    /**
     * @param file the file, for messages
     * @param node where the map stands in it
     * @param value its value
     */
    Entry(Path file, Node node, Object value) {
        this.file = file;
        this.line = lineOf(node);
        if (!(node instanceof MappingNode mapping) || !(value instanceof Map<?, ?> map)) {
            throw wrong(line, "expected 'main: <class>' and what goes with it");
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

    /** Refuses keys that nobody asks for. */
    void knowsOnly(Set<String> keys) {
        for (Object key : values.keySet()) {
            if (!keys.contains(String.valueOf(key))) {
                throw wrong(String.valueOf(key), "there is no key '" + key + "'; there are " + String.join(", ", keys));
            }
        }
    }

    /** {@return a text, or what to take where there is none} */
    String text(String key, String otherwise) {
        Object value = values.get(key);
        if (value instanceof Map || value instanceof List) {
            throw wrong(key, "'" + key + "' has to be a text");
        }
        return value == null ? otherwise : value.toString();
    }

    /** {@return a number of seconds and the like, or 0 where there is none} */
    int count(String key) {
        Object value = values.get(key);
        if (value != null && !(value instanceof Integer n && n > 0)) {
            throw wrong(key, "'" + key + "' has to be a whole number above 0, not '" + value + "'");
        }
        return value == null ? 0 : (Integer) value;
    }

    /** {@return whether something is so; false where nothing is said} */
    boolean flag(String key) {
        Object value = values.get(key);
        if (value != null && !(value instanceof Boolean)) {
            throw wrong(key, "'" + key + "' has to be true or false, not '" + value + "'");
        }
        return Boolean.TRUE.equals(value);
    }

    /** {@return texts; one may stand without a list around it} */
    List<String> texts(String key) {
        Object value = values.get(key);
        if (value instanceof Map) {
            throw wrong(key, "'" + key + "' has to be a list");
        }
        if (value instanceof List<?> list) {
            return list.stream().map(String::valueOf).toList();
        }
        return value == null ? List.of() : List.of(value.toString());
    }

    /** {@return regular expressions} */
    List<Pattern> patterns(String key) {
        try {
            return texts(key).stream().map(Pattern::compile).toList();
        } catch (PatternSyntaxException e) {
            throw wrong(
                    key, "'" + key + "': " + e.getMessage().lines().findFirst().orElse("no regular expression"));
        }
    }

    /** {@return texts by their names} */
    Map<String, String> map(String key) {
        Object value = values.get(key);
        if (value != null && !(value instanceof Map)) {
            throw wrong(key, "'" + key + "' has to be a map");
        }
        Map<String, String> map = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> given) {
            given.forEach((name, setting) -> map.put(String.valueOf(name), String.valueOf(setting)));
        }
        return map;
    }

    /** {@return what to throw when the value of a key is wrong} */
    IllegalArgumentException wrong(String key, String what) {
        return wrong(lines.getOrDefault(key, line), what);
    }

    private IllegalArgumentException wrong(int where, String what) {
        return new IllegalArgumentException(file + ":" + where + ": " + what);
    }
}
