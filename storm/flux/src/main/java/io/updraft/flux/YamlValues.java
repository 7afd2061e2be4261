package io.updraft.flux;

import java.io.StringReader;
import org.apache.storm.shade.org.yaml.snakeyaml.LoaderOptions;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.shade.org.yaml.snakeyaml.constructor.SafeConstructor;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.MappingNode;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.Node;

/** Reads YAML with the parser that Storm's Flux uses. It implements YAML 1.1, in which {@code yes} means true. */
final class YamlValues extends SafeConstructor {

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
