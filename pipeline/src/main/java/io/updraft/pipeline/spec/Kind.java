package io.updraft.pipeline.spec;

import java.util.List;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * One of several kinds of thing: {@code kind} alone, or {@code kind: value}.
 *
 * @param name which kind
 * @param where its name stands
 * @param value what is said of it; null if nothing
 */
record Kind(String name, Node where, Node value) {

    /** Reads it; null if it is none of those, which is then told. */
    static Kind of(String what, Node node, List<String> known, Mistakes mistakes) {
        Kind kind = read(node);
        if (kind == null) {
            mistakes.add(node, what + " must be one of " + String.join(", ", known) + ", and what belongs to it below");
        } else if (!known.contains(kind.name)) {
            mistakes.add(kind.where, what + " cannot be '" + kind.name + "'" + Mistakes.instead(kind.name, known));
            return null;
        }
        return kind;
    }

    private static Kind read(Node node) {
        if (node instanceof ScalarNode scalar && !YamlMap.isNull(node)) {
            return new Kind(scalar.getValue(), node, null);
        }
        if (node instanceof MappingNode mapping && mapping.getValue().size() == 1) {
            NodeTuple only = mapping.getValue().get(0);
            boolean nothing = YamlMap.isNull(only.getValueNode());
            return only.getKeyNode() instanceof ScalarNode key
                    ? new Kind(key.getValue(), key, nothing ? null : only.getValueNode())
                    : null;
        }
        return null;
    }

    /** What is said of it as a mapping; one value, or a list, stands for the mapping that has it under a key. */
    YamlMap map(YamlMap parent, String key) {
        if (value == null) {
            return parent.of("'" + name + "'", mapping(List.of()));
        }
        if (value instanceof MappingNode || key == null) {
            return parent.of("'" + name + "'", value);
        }
        ScalarNode word = new ScalarNode(Tag.STR, key, org.snakeyaml.engine.v2.common.ScalarStyle.PLAIN);
        return parent.of("'" + name + "'", mapping(List.of(new NodeTuple(word, value))));
    }

    private MappingNode mapping(List<NodeTuple> values) {
        return new MappingNode(Tag.MAP, true, values, FlowStyle.BLOCK, where.getStartMark(), where.getEndMark());
    }
}
