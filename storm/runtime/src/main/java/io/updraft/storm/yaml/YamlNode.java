package io.updraft.storm.yaml;

import java.util.List;

/**
 * A node of a description.
 *
 * @param where its first character
 * @param kind what it is
 * @param text the text of a scalar; null for a list or a mapping
 * @param items the elements of a list
 * @param entries the keys and values of a mapping
 * @param origin the parser's node; null if no later step needs it
 */
public record YamlNode(
        Position where, Kind kind, String text, List<YamlNode> items, List<Entry> entries, Object origin) {

    public enum Kind {
        NULL,
        PLAIN,
        QUOTED,
        LIST,
        MAPPING
    }

    /**
     * An entry of a mapping.
     *
     * @param key the node of its key
     * @param value the node of its value
     */
    public record Entry(YamlNode key, YamlNode value) {}

    public static YamlNode scalar(Position where, Kind kind, String text) {
        return new YamlNode(where, kind, text, List.of(), List.of(), null);
    }

    public static YamlNode mapping(Position where, List<Entry> entries) {
        return new YamlNode(where, Kind.MAPPING, null, List.of(), entries, null);
    }

    public boolean is(Kind other) {
        return kind == other;
    }

    public boolean isScalar() {
        return text != null;
    }

    /** Returns what the node is, for messages. */
    public String describe() {
        return isScalar() ? "'" + text + "'" : is(Kind.LIST) ? "a list" : "a mapping";
    }
}
