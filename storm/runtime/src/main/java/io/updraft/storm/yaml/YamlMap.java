package io.updraft.storm.yaml;

import io.updraft.base.text.Spelling;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A mapping of a description. The methods mark each key that is read as known, and {@link #end} reports the other keys. A
 * mistake is collected, and the method returns a harmless value in its place.
 */
public final class YamlMap {

    private final String subject;
    private final YamlNode node;
    private final Mistakes mistakes;
    private final Function<YamlNode, String> texts;
    private final Map<String, YamlNode> values = new LinkedHashMap<>();
    private final Map<String, YamlNode> keys = new LinkedHashMap<>();
    private final Set<String> knownKeys = new LinkedHashSet<>();

    /**
     * Reads a node that should be a mapping. For any other node the mapping is empty and a mistake is reported.
     *
     * @param texts returns the text of a scalar
     */
    public YamlMap(String subject, YamlNode node, Mistakes mistakes, Function<YamlNode, String> texts) {
        this.subject = subject;
        this.node = node;
        this.mistakes = mistakes;
        this.texts = texts;
        node.entries().forEach(entry -> put(entry.key(), entry.value()));
        if (!node.is(YamlNode.Kind.MAPPING) && !node.is(YamlNode.Kind.NULL)) {
            mistakes.add(node, subject + " must be a mapping (key: value), not " + node.describe());
        }
    }

    private void put(YamlNode key, YamlNode value) {
        if (!key.isScalar()) {
            mistakes.add(key, "a key must be a word, not a list or a mapping");
        } else if (values.put(key.text(), value) != null) {
            mistakes.add(key, "'" + key.text() + "' comes twice in " + subject);
        } else {
            keys.put(key.text(), key);
        }
    }

    public YamlNode node() {
        return node;
    }

    public Position where() {
        return node.where();
    }

    public Mistakes mistakes() {
        return mistakes;
    }

    /** Returns the node of a key, or the mapping if the key is missing. */
    public YamlNode keyNode(String key) {
        return keys.getOrDefault(key, node);
    }

    /** Returns the node of a value, or the mapping if the key is missing. */
    public YamlNode at(String key) {
        return values.getOrDefault(key, node);
    }

    public Set<String> names() {
        return keys.keySet();
    }

    /** Returns the value of a key and marks the key as known; null if there is none. */
    public YamlNode get(String key) {
        knownKeys.add(key);
        YamlNode value = values.get(key);
        return value == null || value.is(YamlNode.Kind.NULL) ? null : value;
    }

    public boolean has(String key) {
        return get(key) != null;
    }

    /** Returns the value of a required key. Reports a mistake and returns null if there is none. */
    public YamlNode require(String key) {
        YamlNode value = get(key);
        if (value == null) {
            mistakes.add(keyNode(key), subject + " needs '" + key + "'");
        }
        return value;
    }

    public String text(String key, String otherwise) {
        YamlNode value = get(key);
        return value == null ? otherwise : scalar(key, value, otherwise);
    }

    public void mistake(String key, String message) {
        mistakes.add(at(key), message);
    }

    private String scalar(String key, YamlNode value, String otherwise) {
        if (value.isScalar()) {
            return texts.apply(value);
        }
        mistakes.add(value, "'" + key + "' must be one value, not " + value.describe());
        return otherwise;
    }

    /** Reads a value with a parser of its text. */
    public <T> T parse(String key, T otherwise, Function<String, T> parser) {
        YamlNode value = get(key);
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
    public long number(String key, long otherwise, long least, long most) {
        return parse(key, otherwise, text -> {
            long number = number(text);
            if (number < least || number > most) {
                mistake(key, "'" + key + "' must be from " + least + " to " + most + ", not " + number);
                return otherwise;
            }
            return number;
        });
    }

    public static long number(String text) {
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
    public List<String> words(String key) {
        return nodes(key).stream().flatMap(each -> words(key, each)).toList();
    }

    private Stream<String> words(String key, YamlNode node) {
        String text = scalar(key, node, "");
        return node != get(key) && node.is(YamlNode.Kind.QUOTED)
                ? Stream.of(text)
                : Stream.of(text.split(",")).map(String::strip).filter(word -> !word.isEmpty());
    }

    /** Reads a list of texts: a YAML list, or a single text. */
    public List<String> texts(String key) {
        return nodes(key).stream().map(each -> scalar(key, each, "")).toList();
    }

    /** Returns the elements of a list; any other value is a list of one element. */
    public List<YamlNode> nodes(String key) {
        YamlNode value = get(key);
        return value == null ? List.of() : value.is(YamlNode.Kind.LIST) ? value.items() : List.of(value);
    }

    /** Reads a mapping; it is empty if the key is missing. */
    public YamlMap map(String key) {
        YamlNode value = get(key);
        return value == null ? empty(key) : of("'" + key + "'", value);
    }

    public YamlMap of(String name, YamlNode value) {
        return new YamlMap(name, value, mistakes, texts);
    }

    /** Returns a section without keys, whose mistakes are not reported. */
    public YamlMap empty(String key) {
        return new YamlMap("'" + key + "'", YamlNode.mapping(node.where(), List.of()), new Mistakes(), texts);
    }

    /** Reads a mapping with any keys. */
    public Map<String, String> all(String key) {
        Map<String, String> all = new LinkedHashMap<>();
        YamlMap map = map(key);
        map.names().forEach(name -> all.put(name, map.text(name, "")));
        return all;
    }

    /** Reports the keys that no method has read. */
    public void end() {
        keys.forEach((name, key) -> {
            if (!knownKeys.contains(name)) {
                mistakes.add(key, subject + " has no '" + name + "'" + Spelling.instead(name, knownKeys));
            }
        });
    }
}
