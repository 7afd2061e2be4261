package io.updraft.pipeline.spec;

import io.updraft.base.text.Spelling;
import io.updraft.storm.yaml.Mistakes;
import io.updraft.storm.yaml.YamlMap;
import io.updraft.storm.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A choice of one kind and its options. A description writes {@code kind}, {@code kind: value}, {@code kind: {options}}, or
 * {@code kind: value} with the options as keys beside {@code kind}.
 *
 * @param where the node of the name, for the position in messages
 * @param value the value of the key {@code name}; null if there is none
 * @param beside the keys beside {@code name}
 */
record KindNode(String name, YamlNode where, YamlNode value, List<YamlNode.Entry> beside) {

    /** Reads a kind. Returns null and reports a mistake if the node has none of the forms, or names an unknown kind. */
    static KindNode of(String subject, YamlNode node, List<String> names, Mistakes mistakes) {
        KindNode kind = read(node, names);
        if (kind == null) {
            mistakes.add(node, subject + " must be one of " + String.join(", ", names) + ", with its options below");
        } else if (!names.contains(kind.name)) {
            mistakes.add(kind.where, subject + " cannot be '" + kind.name + "'" + Spelling.instead(kind.name, names));
            return null;
        }
        return kind;
    }

    private static KindNode read(YamlNode node, List<String> names) {
        if (node.isScalar() && !node.is(YamlNode.Kind.NULL)) {
            return new KindNode(node.text(), node, null, List.of());
        }
        List<YamlNode.Entry> entries = new ArrayList<>(node.entries());
        List<YamlNode.Entry> kinds =
                entries.stream().filter(entry -> names.contains(word(entry))).toList();
        if (kinds.size() != 1 && entries.size() != 1) {
            return null;
        }
        YamlNode.Entry only = kinds.size() == 1 ? kinds.get(0) : entries.get(0);
        // Not by equals(), whose first call for a record takes 20 ms.
        entries.removeIf(entry -> entry == only);
        boolean nothing = only.value().is(YamlNode.Kind.NULL);
        return new KindNode(word(only), only.key(), nothing ? null : only.value(), entries);
    }

    private static String word(YamlNode.Entry entry) {
        return entry.key().isScalar() ? entry.key().text() : "";
    }

    /** Returns the options as a mapping. A single value or a list becomes the value of {@code key} in this mapping. */
    YamlMap map(YamlMap parent, String key) {
        List<YamlNode.Entry> options = new ArrayList<>(beside);
        boolean mapping = value != null && value.is(YamlNode.Kind.MAPPING);
        if (mapping) {
            options.addAll(value.entries());
        } else if (value != null && key == null) {
            return parent.of("'" + name + "'", value);
        } else if (value != null) {
            options.add(new YamlNode.Entry(YamlNode.scalar(where.where(), YamlNode.Kind.PLAIN, key), value));
        }
        YamlNode whole = mapping ? value : where;
        return parent.of("'" + name + "'", YamlNode.mapping(whole.where(), options));
    }
}
