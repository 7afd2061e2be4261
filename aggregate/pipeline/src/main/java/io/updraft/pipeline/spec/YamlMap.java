package io.updraft.pipeline.spec;

import io.updraft.storm.text.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A mapping of a description. The methods mark each key that is read as known, and {@link #end} reports the other keys. A
 * mistake is collected, and the method returns a harmless value in its place.
 */
final class YamlMap {

    private static final Pattern VARIABLE = Pattern.compile("\\$?\\$\\{([^}:]*)(?::([^}]*))?\\}");

    private final String subject;
    final Node node;
    final SpecMistakes mistakes;
    private final Map<String, String> environment;
    private final Map<String, Node> values = new LinkedHashMap<>();
    private final Map<String, Node> keys = new LinkedHashMap<>();
    private final Set<String> known = new LinkedHashSet<>();

    /** Reads a node that should be a mapping. For any other node the mapping is empty and a mistake is reported. */
    YamlMap(String subject, Node node, SpecMistakes mistakes, Map<String, String> environment) {
        this.subject = subject;
        this.node = node;
        this.mistakes = mistakes;
        this.environment = environment;
        if (node instanceof MappingNode mapping) {
            mapping.getValue().forEach(this::put);
        } else if (!isNull(node)) {
            mistakes.add(node, subject + " must be a mapping (key: value), not " + kind(node));
        }
    }

    private void put(NodeTuple tuple) {
        if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
            mistakes.add(tuple.getKeyNode(), "a key must be a word, not a list or a mapping");
        } else if (values.put(key.getValue(), tuple.getValueNode()) != null) {
            mistakes.add(key, "'" + key.getValue() + "' comes twice in " + subject);
        } else {
            keys.put(key.getValue(), key);
        }
    }

    /** Returns the node of a key, or the mapping if the key is missing. */
    Node keyNode(String key) {
        return keys.getOrDefault(key, node);
    }

    /** Returns the node of a value, or the mapping if the key is missing. */
    Node at(String key) {
        return values.getOrDefault(key, node);
    }

    Set<String> names() {
        return keys.keySet();
    }

    /** Returns the value of a key and marks the key as known; null if there is none. */
    Node get(String key) {
        known.add(key);
        Node value = values.get(key);
        return value == null || isNull(value) ? null : value;
    }

    boolean has(String key) {
        return get(key) != null;
    }

    /** Returns the value of a required key. Reports a mistake and returns null if there is none. */
    Node require(String key) {
        Node value = get(key);
        if (value == null) {
            mistakes.add(keyNode(key), subject + " needs '" + key + "'");
        }
        return value;
    }

    String text(String key, String otherwise) {
        Node value = get(key);
        return value == null ? otherwise : scalar(key, value, otherwise);
    }

    void mistake(String key, String message) {
        mistakes.add(at(key), message);
    }

    /**
     * Returns the text of a scalar, in which values of the environment replace <code>${NAME}</code> and
     * <code>${NAME:default}</code>. Two dollars stand for one: <code>$${NAME}</code> becomes <code>${NAME}</code>.
     */
    String scalar(String key, Node value, String otherwise) {
        if (value instanceof ScalarNode scalar) {
            return VARIABLE.matcher(scalar.getValue())
                    .replaceAll(variable -> Matcher.quoteReplacement(variable(variable, value)));
        }
        mistakes.add(value, "'" + key + "' must be one value, not " + kind(value));
        return otherwise;
    }

    private String variable(MatchResult variable, Node where) {
        if (variable.group().startsWith("$$")) {
            return variable.group().substring(1);
        }
        String value = environment.getOrDefault(variable.group(1), variable.group(2));
        if (value == null) {
            mistakes.add(
                    where,
                    "the environment has no variable " + variable.group(1) + "; set it, or give a default: ${"
                            + variable.group(1) + ":value}");
        }
        return value == null ? "" : value;
    }

    /** Reads a value with a parser of its text. */
    <T> T parse(String key, T otherwise, Function<String, T> parser) {
        Node value = get(key);
        if (value == null) {
            return otherwise;
        }
        String text = scalar(key, value, null);
        try {
            return text == null ? otherwise : parser.apply(text);
        } catch (IllegalArgumentException e) {
            mistakes.add(value, "'" + key + "': " + e.getMessage());
            return otherwise;
        }
    }

    /** Reads a whole number of a mapping with any keys. */
    long number(String key, long otherwise, long least, long most) {
        return parse(key, otherwise, text -> {
            long number = number(text);
            if (number < least || number > most) {
                mistake(key, "'" + key + "' must be from " + least + " to " + most + ", not " + number);
                return otherwise;
            }
            return number;
        });
    }

    static long number(String text) {
        try {
            return Long.parseLong(text.replace("_", ""));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number");
        }
    }

    /**
     * Reads a list of words: a YAML list, a single word, or words separated by commas. In quotes, an element of a list is one
     * word as it stands.
     */
    List<String> words(String key) {
        List<String> words = new ArrayList<>();
        boolean list = get(key) instanceof SequenceNode;
        nodes(key).forEach(each -> {
            if (list && each instanceof ScalarNode scalar && scalar.getScalarStyle() != ScalarStyle.PLAIN) {
                words.add(scalar(key, each, ""));
                return;
            }
            for (String word : scalar(key, each, "").split(",")) {
                if (!word.isBlank()) {
                    words.add(word.strip());
                }
            }
        });
        return words;
    }

    /** Reads a list of texts: a YAML list, or a single text. */
    List<String> texts(String key) {
        return nodes(key).stream().map(each -> scalar(key, each, "")).toList();
    }

    /** Returns the elements of a list; any other value is a list of one element. */
    List<Node> nodes(String key) {
        Node value = get(key);
        if (value == null) {
            return List.of();
        }
        return value instanceof SequenceNode sequence ? sequence.getValue() : List.of(value);
    }

    /** Reads a mapping; it is empty if the key is missing. */
    YamlMap map(String key) {
        Node value = get(key);
        return value == null ? empty(key) : of("'" + key + "'", value);
    }

    YamlMap of(String name, Node value) {
        return new YamlMap(name, value, mistakes, environment);
    }

    /** Returns a section without keys, whose mistakes are not reported. */
    YamlMap empty(String key) {
        MappingNode none = new MappingNode(Tag.MAP, List.of(), FlowStyle.BLOCK);
        return new YamlMap("'" + key + "'", none, new SpecMistakes(""), environment);
    }

    /** Reads a mapping with any keys. */
    Map<String, String> all(String key) {
        Map<String, String> all = new LinkedHashMap<>();
        YamlMap map = map(key);
        map.names().forEach(name -> all.put(name, map.text(name, "")));
        return all;
    }

    /** Reads clients of Kafka clusters: the same properties for each {@code bootstrap}. */
    List<Map<String, String>> clusters() {
        Map<String, String> properties = all("properties");
        return texts("bootstrap").stream()
                .map(bootstrap -> {
                    Map<String, String> client = new LinkedHashMap<>(properties);
                    client.put("bootstrap.servers", bootstrap);
                    return client;
                })
                .toList();
    }

    /** Reads the client of a Kafka cluster. */
    Map<String, String> client() {
        Map<String, String> client = new LinkedHashMap<>(all("properties"));
        List<String> servers = texts("bootstrap");
        if (!servers.isEmpty()) {
            client.put("bootstrap.servers", String.join(",", servers));
        }
        return client;
    }

    /** Reports the keys that no method has read. */
    void end() {
        for (Map.Entry<String, Node> key : keys.entrySet()) {
            if (!known.contains(key.getKey())) {
                mistakes.add(
                        key.getValue(),
                        subject + " has no '" + key.getKey() + "'" + Spelling.instead(key.getKey(), known));
            }
        }
    }

    static boolean isNull(Node node) {
        return node instanceof ScalarNode scalar && scalar.getTag().equals(Tag.NULL);
    }

    static String kind(Node node) {
        if (node instanceof MappingNode) {
            return "a mapping";
        }
        if (node instanceof SequenceNode) {
            return "a list";
        }
        return node instanceof ScalarNode scalar ? "'" + scalar.getValue() + "'" : "something else";
    }
}
