package io.updraft.pipeline.spec;

import io.updraft.storm.Spelling;
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
 * One of several kinds of thing: {@code kind} alone, {@code kind: value}, {@code kind: {options}}, or {@code kind: value} with the
 * options beside it.
 *
 * @param name which kind
 * @param where its name stands
 * @param value what is said of it; null if nothing
 * @param beside options that stand beside it
 */
record Kind(String name, Node where, Node value, List<NodeTuple> beside) {

    /** Reads it; null if it is none of those, which is then told. */
    static Kind of(String what, Node node, List<String> known, Mistakes mistakes) {
        Kind kind = read(node, known);
        if (kind == null) {
            mistakes.add(node, what + " must be one of " + String.join(", ", known) + ", and what belongs to it below");
        } else if (!known.contains(kind.name)) {
            mistakes.add(kind.where, what + " cannot be '" + kind.name + "'" + Spelling.instead(kind.name, known));
            return null;
        }
        return kind;
    }

    private static Kind read(Node node, List<String> known) {
        if (node instanceof ScalarNode scalar && !YamlMap.isNull(node)) {
            return new Kind(scalar.getValue(), node, null, List.of());
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
        return new Kind(word(only), only.getKeyNode(), nothing ? null : only.getValueNode(), others);
    }

    private static String word(NodeTuple tuple) {
        return tuple.getKeyNode() instanceof ScalarNode key ? key.getValue() : "";
    }

    /** What is said of it as a mapping; one value, or a list, stands for the mapping that has it under a key. */
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
