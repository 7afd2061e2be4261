package io.updraft.flux;

import io.updraft.flux.ObjectSpec.ArgumentSpec;
import io.updraft.flux.TopologySpec.IncludeSpec;
import io.updraft.flux.TopologySpec.StreamSpec;
import io.updraft.flux.TopologySpec.StreamSpec.Grouping;
import io.updraft.flux.TopologySpec.VertexSpec;
import io.updraft.flux.YamlMapping.YamlValues;
import io.updraft.storm.text.Spelling;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.apache.storm.shade.org.yaml.snakeyaml.error.MarkedYAMLException;
import org.apache.storm.shade.org.yaml.snakeyaml.error.YAMLException;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.MappingNode;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.Node;
import org.apache.storm.utils.Utils;

/** Reads one file of a description, without loading classes. */
final class FluxReader {
    private static final String DEFAULT_METHOD = "getTopology";

    private final String file;
    private final DescriptionErrors mistakes;
    private final TopologySpec spec;

    private FluxReader(String file, DescriptionErrors mistakes) {
        this.file = file;
        this.mistakes = mistakes;
        this.spec = new TopologySpec(new SourcePosition(file, 1));
    }

    /** Reads the text of a file, in which variables have been replaced, as far as that is possible. */
    static TopologySpec read(String file, String text, DescriptionErrors mistakes) {
        FluxReader reader = new FluxReader(file, mistakes);
        try {
            Node root = YamlValues.parse(text);
            if (root == null) {
                mistakes.add(new SourcePosition(file, 1), "the file is empty; it must describe a topology");
            } else {
                reader.topology(new YamlMapping("a topology", file, root, mistakes));
            }
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
            mistakes.add(new SourcePosition(file, line), "not valid YAML: " + e.getProblem());
        } catch (YAMLException e) {
            mistakes.add(
                    new SourcePosition(file, 1),
                    "not valid YAML: " + e.getMessage().replaceAll("\\s+", " "));
        }
        return reader.spec;
    }

    private void topology(YamlMapping topology) {
        spec.name = topology.text("name");
        topology.entries("config", spec.config::put);
        each(topology, "components", "a component", section -> object(section, "id"), spec.components);
        each(topology, "spouts", "a spout", this::vertex, spec.spouts);
        each(topology, "bolts", "a bolt", this::vertex, spec.bolts);
        each(topology, "workerHooks", "a worker hook", section -> object(section, "id"), spec.workerHooks);
        for (Node node : topology.list("streams")) {
            stream(topology.of("a stream", node));
        }
        for (Node node : topology.list("includes")) {
            include(topology.of("an include", node));
        }
        Node source = topology.get("topologySource");
        if (source != null) {
            source(topology.of("'topologySource'", source));
        }
        topology.end();
    }

    private <T> void each(
            YamlMapping topology, String key, String subject, Function<YamlMapping, T> reading, Map<String, T> into) {
        for (Node node : topology.list(key)) {
            YamlMapping section = topology.of(subject, node);
            T read = reading.apply(section);
            section.end();
            String id = section.text("id");
            if (id != null && into.putIfAbsent(id, read) != null) {
                mistakes.add(section.where("id"), "there are two " + key + " with the id '" + id + "'");
            }
        }
    }

    private ObjectSpec object(YamlMapping section, String id) {
        return new ObjectSpec(
                section.where(),
                id == null ? null : section.requireText(id),
                section.requireText("className"),
                values(section, "constructorArgs"),
                section.text("factory"),
                values(section, "factoryArgs"),
                properties(section),
                calls(section));
    }

    private List<ArgumentSpec> values(YamlMapping section, String key) {
        return section.list(key).stream().map(node -> value(section, node)).toList();
    }

    /** Reads a value. A mapping with only {@code ref} or {@code reflist} refers to components; any other mapping is a map. */
    private ArgumentSpec value(YamlMapping section, Node node) {
        SourcePosition where = SourcePosition.of(file, node);
        if (node instanceof MappingNode mapping && mapping.getValue().size() == 1) {
            YamlMapping reference = section.of("a reference", node);
            if (reference.get("ref") != null) {
                return new ArgumentSpec(
                        where, null, List.of(reference.requireText("ref")), ArgumentSpec.Kind.REFERENCE);
            }
            if (reference.get("reflist") != null) {
                return new ArgumentSpec(where, null, reference.texts("reflist"), ArgumentSpec.Kind.REFERENCES);
            }
        }
        return ArgumentSpec.plain(where, section.plain(node));
    }

    private List<ObjectSpec.Property> properties(YamlMapping section) {
        List<ObjectSpec.Property> properties = new ArrayList<>();
        for (Node node : section.list("properties")) {
            YamlMapping property = section.of("a property", node);
            String name = property.requireText("name");
            String reference = property.text("ref");
            Node value = property.get("value");
            if (reference != null && value != null) {
                mistakes.add(property.where("ref"), "a property must have either 'value' or 'ref'");
            }
            properties.add(new ObjectSpec.Property(
                    property.where(),
                    name,
                    reference != null
                            ? new ArgumentSpec(
                                    property.where("ref"), null, List.of(reference), ArgumentSpec.Kind.REFERENCE)
                            : ArgumentSpec.plain(
                                    property.where("value"), value == null ? null : property.plain(value))));
            property.end();
        }
        return properties;
    }

    private List<ObjectSpec.Call> calls(YamlMapping section) {
        List<ObjectSpec.Call> calls = new ArrayList<>();
        for (Node node : section.list("configMethods")) {
            YamlMapping call = section.of("a configuration method", node);
            calls.add(new ObjectSpec.Call(call.where(), call.requireText("name"), values(call, "args")));
            call.end();
        }
        return calls;
    }

    private VertexSpec vertex(YamlMapping section) {
        return new VertexSpec(
                object(section, "id"),
                section.number("parallelism", 1).orElse(1),
                section.number("numTasks", 1),
                section.number("onHeapMemoryLoad", 0),
                section.number("offHeapMemoryLoad", 0),
                section.number("cpuLoad", 0));
    }

    private void stream(YamlMapping section) {
        section.text("name");
        String source = section.requireText("from");
        String to = section.requireText("to");
        Node node = section.get("grouping");
        if (node == null) {
            mistakes.add(section.where(), "a stream needs 'grouping'");
        } else {
            YamlMapping grouping = section.of("a grouping", node);
            grouping(section, source, to, grouping);
            grouping.end();
        }
        section.end();
    }

    private void grouping(YamlMapping section, String source, String to, YamlMapping grouping) {
        Grouping type = type(grouping);
        String stream = grouping.text("streamId");
        List<String> fields = grouping.texts("args");
        Node custom = grouping.get("customClass");
        ObjectSpec object = null;
        if (custom != null) {
            YamlMapping customClass = grouping.of("'customClass'", custom);
            object = object(customClass, null);
            customClass.text("id");
            customClass.end();
        }
        if (type == Grouping.FIELDS && fields.isEmpty()) {
            mistakes.add(grouping.where(), "a FIELDS grouping needs 'args', the names of its fields");
        }
        if (type == Grouping.CUSTOM && object == null) {
            mistakes.add(grouping.where(), "a CUSTOM grouping needs 'customClass'");
        }
        if (type != null) {
            spec.streams.add(new StreamSpec(
                    section.where(),
                    source,
                    to,
                    type,
                    stream == null ? Utils.DEFAULT_STREAM_ID : stream,
                    fields,
                    object));
        }
    }

    private Grouping type(YamlMapping grouping) {
        String type = grouping.requireText("type");
        try {
            return type.isEmpty() ? null : Grouping.valueOf(type.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            List<String> all = Arrays.stream(Grouping.values()).map(Enum::name).toList();
            mistakes.add(grouping.where("type"), "there is no grouping '" + type + "'" + Spelling.instead(type, all));
            return null;
        }
    }

    private void include(YamlMapping section) {
        spec.includes.add(new IncludeSpec(
                section.where(), section.requireText("file"), section.flag("resource"), section.flag("override")));
        section.end();
    }

    private void source(YamlMapping section) {
        spec.source = object(section, null);
        String method = section.text("methodName");
        spec.sourceMethod = method == null ? DEFAULT_METHOD : method;
        section.end();
    }
}
