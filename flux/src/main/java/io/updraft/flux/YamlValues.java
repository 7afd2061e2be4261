package io.updraft.flux;

import java.io.StringReader;
import org.apache.storm.shade.org.yaml.snakeyaml.LoaderOptions;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.shade.org.yaml.snakeyaml.constructor.SafeConstructor;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.MappingNode;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.Node;

/** Reads YAML by the parser that Storm's own Flux uses, which knows YAML 1.1: {@code yes} is true there. */
final class YamlValues extends SafeConstructor {

    YamlValues() {
        super(new LoaderOptions());
    }

    /** The text as nodes that know their lines; null if there is nothing in it. */
    static Node parse(String text) {
        return new Yaml(new SafeConstructor(new LoaderOptions())).compose(new StringReader(text));
    }

    /** What a node means: text, numbers, booleans, null, lists and maps of these. */
    Object of(Node node) {
        return constructDocument(node);
    }

    /** Puts what {@code <<} refers to into a mapping. */
    void merge(MappingNode mapping) {
        flattenMapping(mapping);
    }
}
