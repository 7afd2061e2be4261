package io.updraft.flux;

import io.updraft.base.text.OneLine;
import io.updraft.storm.yaml.Mistakes;
import io.updraft.storm.yaml.Position;
import io.updraft.storm.yaml.YamlNode;
import java.io.StringReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.shade.org.yaml.snakeyaml.LoaderOptions;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.shade.org.yaml.snakeyaml.constructor.SafeConstructor;
import org.apache.storm.shade.org.yaml.snakeyaml.error.Mark;
import org.apache.storm.shade.org.yaml.snakeyaml.error.YAMLException;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.MappingNode;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.Node;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.ScalarNode;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.SequenceNode;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.Tag;

/** Reads YAML with the parser that Storm's Flux uses. It implements YAML 1.1, in which {@code yes} means true. */
final class FluxValues extends SafeConstructor {
    private final String file;
    private final Mistakes mistakes;
    /** Several aliases may refer to one node. */
    private final Map<Node, YamlNode> made = new HashMap<>();

    FluxValues(String file, Mistakes mistakes) {
        super(new LoaderOptions());
        this.file = file;
        this.mistakes = mistakes;
    }

    /** Parses text; returns null if the text is empty. */
    YamlNode parse(String text) {
        Node root = new Yaml(new SafeConstructor(new LoaderOptions())).compose(new StringReader(text));
        return root == null ? null : node(root);
    }

    private YamlNode node(Node node) {
        if (made.containsKey(node)) {
            return made.get(node);
        }
        Position where = position(node.getStartMark());
        String text = node instanceof ScalarNode scalar ? scalar.getValue() : null;
        List<YamlNode> items = List.of();
        List<YamlNode.Entry> entries = List.of();
        YamlNode.Kind kind = Tag.NULL.equals(node.getTag()) ? YamlNode.Kind.NULL : YamlNode.Kind.PLAIN;
        if (node instanceof MappingNode mapping) {
            flattenMapping(mapping);
            kind = YamlNode.Kind.MAPPING;
            entries = mapping.getValue().stream()
                    .map(each -> new YamlNode.Entry(node(each.getKeyNode()), node(each.getValueNode())))
                    .toList();
        } else if (node instanceof SequenceNode list) {
            kind = YamlNode.Kind.LIST;
            items = list.getValue().stream().map(this::node).toList();
        }
        YamlNode result = new YamlNode(where, kind, text, items, entries, node);
        made.put(node, result);
        return result;
    }

    Position position(Mark mark) {
        return mark == null ? new Position(file, 1, 1) : new Position(file, mark.getLine() + 1, mark.getColumn() + 1);
    }

    /**
     * Returns the value of a node: text, a number, a boolean, null, or lists and maps of these. Adds a mistake and returns null if
     * the node has no valid value.
     */
    Object of(YamlNode node) {
        try {
            return constructDocument((Node) node.origin());
        } catch (YAMLException e) {
            mistakes.add(node, OneLine.first(e));
            return null;
        }
    }
}
