package io.updraft.flux;

import io.updraft.base.text.OneLine;
import io.updraft.storm.text.Spelling;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.storm.shade.org.yaml.snakeyaml.LoaderOptions;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.shade.org.yaml.snakeyaml.constructor.SafeConstructor;
import org.apache.storm.shade.org.yaml.snakeyaml.error.YAMLException;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.MappingNode;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.Node;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.NodeTuple;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.ScalarNode;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.SequenceNode;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.Tag;

/** A mapping of a description that is being read. Mistakes are collected; a method that finds one returns a harmless value. */
final class YamlMapping {
    private final String subject;
    private final String file;
    private final SourcePosition where;
    private final DescriptionErrors mistakes;
    private final Map<String, Node> values = new LinkedHashMap<>();
    private final Map<String, SourcePosition> keys = new LinkedHashMap<>();
    private final Set<String> readKeys = new LinkedHashSet<>();
    private final YamlValues yaml = new YamlValues();

    /** Reads a node that should be a mapping; {@code subject} is its name in messages. */
    YamlMapping(String subject, String file, Node node, DescriptionErrors mistakes) {
        this.subject = subject;
        this.file = file;
        this.where = SourcePosition.of(file, node);
        this.mistakes = mistakes;
        if (!(node instanceof MappingNode mapping)) {
            mistakes.add(where, subject + " must be a mapping (key: value), not " + kind(node));
            return;
        }
        yaml.merge(mapping);
        for (NodeTuple tuple : mapping.getValue()) {
            put(tuple);
        }
    }

    private void put(NodeTuple tuple) {
        SourcePosition at = SourcePosition.of(file, tuple.getKeyNode());
        if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
            mistakes.add(at, "a key must be a scalar");
            return;
        }
        keys.put(key.getValue(), at);
        values.put(key.getValue(), tuple.getValueNode());
    }

    SourcePosition where() {
        return where;
    }

    SourcePosition where(String key) {
        return keys.getOrDefault(key, where);
    }

    Node get(String key) {
        readKeys.add(key);
        Node value = values.get(key);
        return value == null || isNull(value) ? null : value;
    }

    /** Returns the text of a scalar; null if the key is missing. */
    String text(String key) {
        Node value = get(key);
        if (value == null) {
            return null;
        }
        if (value instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        mistakes.add(where(key), "'" + key + "' must be a single value, not " + kind(value));
        return null;
    }

    String requireText(String key) {
        String text = text(key);
        if (text == null && get(key) == null) {
            mistakes.add(where, subject + " needs '" + key + "'");
        }
        return text == null ? "" : text;
    }

    boolean flag(String key) {
        Node value = get(key);
        Object plain = value == null ? Boolean.FALSE : plain(value);
        if (plain instanceof Boolean flag) {
            return flag;
        }
        mistakes.add(where(key), "'" + key + "' must be true or false, not " + kind(value));
        return false;
    }

    /**
     * Returns a whole number of at least {@code least}. Empty if the key is missing or the value is -1, which Flux uses for a
     * missing number.
     */
    OptionalInt number(String key, int least) {
        Node value = get(key);
        if (value == null) {
            return OptionalInt.empty();
        }
        Object plain = plain(value);
        if (plain instanceof Integer number && (number >= least || number == -1)) {
            return number == -1 ? OptionalInt.empty() : OptionalInt.of(number);
        }
        mistakes.add(where(key), "'" + key + "' must be a whole number of at least " + least + ", not " + kind(value));
        return OptionalInt.empty();
    }

    /** Returns the elements of a list; none if the key is missing. */
    List<Node> list(String key) {
        Node value = get(key);
        if (value == null) {
            return List.of();
        }
        if (value instanceof SequenceNode sequence) {
            return sequence.getValue();
        }
        mistakes.add(where(key), "'" + key + "' must be a list (lines that begin with '-'), not " + kind(value));
        return List.of();
    }

    List<String> texts(String key) {
        return list(key).stream().map(each -> String.valueOf(plain(each))).toList();
    }

    void entries(String key, BiConsumer<String, Object> entry) {
        Node value = get(key);
        if (value != null) {
            YamlMapping section = of("'" + key + "'", value);
            section.values.forEach((name, node) -> entry.accept(name, section.plain(node)));
        }
    }

    YamlMapping of(String name, Node node) {
        return new YamlMapping(name, file, node, mistakes);
    }

    /** Returns the value of a node; adds a mistake and returns null if the node has no valid value. */
    Object plain(Node node) {
        try {
            return yaml.of(node);
        } catch (YAMLException e) {
            mistakes.add(SourcePosition.of(file, node), OneLine.first(e));
            return null;
        }
    }

    /** Adds a mistake for each key that was not read. */
    void end() {
        keys.forEach((key, at) -> {
            if (!readKeys.contains(key)) {
                mistakes.add(at, subject + " has no '" + key + "'" + Spelling.instead(key, readKeys));
            }
        });
    }

    static String kind(Node node) {
        if (node instanceof MappingNode) {
            return "a mapping";
        }
        return node instanceof ScalarNode scalar ? "'" + scalar.getValue() + "'" : "a list";
    }

    private static boolean isNull(Node node) {
        return node instanceof ScalarNode && Tag.NULL.equals(node.getTag());
    }

    /** Reads YAML with the parser that Storm's Flux uses. It implements YAML 1.1, in which {@code yes} means true. */
    static final class YamlValues extends SafeConstructor {

        YamlValues() {
            super(new LoaderOptions());
        }

        /** Parses text to nodes with line numbers; null if the text is empty. */
        static Node parse(String text) {
            return new Yaml(new SafeConstructor(new LoaderOptions())).compose(new StringReader(text));
        }

        /** Returns the value of a node: text, a number, a boolean, null, or lists and maps of these. */
        Object of(Node node) {
            return constructDocument(node);
        }

        /** Merges the mappings that {@code <<} refers to into a mapping. */
        void merge(MappingNode mapping) {
            flattenMapping(mapping);
        }
    }
}
