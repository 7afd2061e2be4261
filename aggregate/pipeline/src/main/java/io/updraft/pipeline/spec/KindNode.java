package io.updraft.pipeline.spec;

import io.updraft.storm.text.Spelling;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A choice of one kind and its options. A description writes {@code kind}, {@code kind: value}, {@code kind: {options}}, or
 * {@code kind: value} with the options as keys beside {@code kind}.
 *
 * @param where the node of the name, for the position in messages
 * @param value the value of the key {@code name}; null if there is none
 * @param beside the keys beside {@code name}
 */
record KindNode(String name, Node where, Node value, List<NodeTuple> beside) {

    /** Reads a kind. Returns null and reports a mistake if the node has none of the forms, or names an unknown kind. */
    static KindNode of(String subject, Node node, List<String> known, SpecMistakes mistakes) {
        KindNode kind = read(node, known);
        if (kind == null) {
            mistakes.add(node, subject + " must be one of " + String.join(", ", known) + ", with its options below");
        } else if (!known.contains(kind.name)) {
            mistakes.add(kind.where, subject + " cannot be '" + kind.name + "'" + Spelling.instead(kind.name, known));
            return null;
        }
        return kind;
    }

    private static KindNode read(Node node, List<String> known) {
        if (node instanceof ScalarNode scalar && !YamlMap.isNull(node)) {
            return new KindNode(scalar.getValue(), node, null, List.of());
        }
        if (!(node instanceof MappingNode mapping)) {
            return null;
        }
        List<NodeTuple> others = new ArrayList<>(mapping.getValue());
        List<NodeTuple> kinds =
                others.stream().filter(tuple -> known.contains(word(tuple))).toList();
        if (kinds.size() != 1 && others.size() != 1) {
            return null;
        }
        NodeTuple only = kinds.size() == 1 ? kinds.get(0) : others.get(0);
        others.remove(only);
        boolean nothing = YamlMap.isNull(only.getValueNode());
        return new KindNode(word(only), only.getKeyNode(), nothing ? null : only.getValueNode(), others);
    }

    private static String word(NodeTuple tuple) {
        return tuple.getKeyNode() instanceof ScalarNode key ? key.getValue() : "";
    }

    /** Returns the options as a mapping. A single value or a list becomes the value of {@code key} in this mapping. */
    YamlMap map(YamlMap parent, String key) {
        List<NodeTuple> options = new ArrayList<>(beside);
        if (value instanceof MappingNode mapping) {
            options.addAll(mapping.getValue());
        } else if (value != null && key == null) {
            return parent.of("'" + name + "'", value);
        } else if (value != null) {
            options.add(new NodeTuple(new ScalarNode(Tag.STR, key, ScalarStyle.PLAIN), value));
        }
        Node whole = value instanceof MappingNode ? value : where;
        return parent.of(
                "'" + name + "'",
                new MappingNode(Tag.MAP, true, options, FlowStyle.BLOCK, whole.getStartMark(), whole.getEndMark()));
    }
}
