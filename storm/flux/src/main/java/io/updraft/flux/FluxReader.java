package io.updraft.flux;

import io.updraft.base.text.Spelling;
import io.updraft.flux.ObjectSpec.ArgumentSpec;
import io.updraft.flux.TopologySpec.IncludeSpec;
import io.updraft.flux.TopologySpec.StreamSpec;
import io.updraft.flux.TopologySpec.StreamSpec.Grouping;
import io.updraft.flux.TopologySpec.VertexSpec;
import io.updraft.storm.yaml.Mistakes;
import io.updraft.storm.yaml.Position;
import io.updraft.storm.yaml.YamlMap;
import io.updraft.storm.yaml.YamlNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import org.apache.storm.shade.org.yaml.snakeyaml.error.MarkedYAMLException;
import org.apache.storm.shade.org.yaml.snakeyaml.error.YAMLException;
import org.apache.storm.utils.Utils;

/** Reads one file of a description, without loading classes. */
final class FluxReader {
    private static final String DEFAULT_METHOD = "getTopology";

    private final Mistakes mistakes;
    private final FluxValues values;
    private final TopologySpec spec;

    private FluxReader(String file, Mistakes mistakes) {
        this.mistakes = mistakes;
        this.values = new FluxValues(file, mistakes);
        this.spec = new TopologySpec(values.position(null));
    }

    /** Reads the text of a file, in which variables have been replaced, as far as that is possible. */
    static TopologySpec read(String file, String text, Mistakes mistakes) {
        FluxReader reader = new FluxReader(file, mistakes);
        try {
            YamlNode root = reader.values.parse(text);
            if (root == null) {
                mistakes.add(reader.spec.where, "the file is empty; it must describe a topology");
            } else {
                reader.topology(new YamlMap("a topology", root, mistakes, YamlNode::text));
            }
        } catch (MarkedYAMLException e) {
            mistakes.add(reader.values.position(e.getProblemMark()), "not valid YAML: " + e.getProblem());
        } catch (YAMLException e) {
            mistakes.add(reader.spec.where, "not valid YAML: " + e.getMessage().replaceAll("\\s+", " "));
        } catch (StackOverflowError e) {
            mistakes.add(reader.spec.where, "an alias in the file refers to a node that contains it");
        }
        return reader.spec;
    }

    private void topology(YamlMap topology) {
        spec.name = topology.text("name", null);
        YamlMap config = topology.map("config");
        config.names().forEach(key -> spec.config.put(key, values.of(config.at(key))));
        each(topology, "components", "a component", section -> object(section, "id"), spec.components);
        each(topology, "spouts", "a spout", this::vertex, spec.spouts);
        each(topology, "bolts", "a bolt", this::vertex, spec.bolts);
        each(topology, "workerHooks", "a worker hook", section -> object(section, "id"), spec.workerHooks);
        sections(topology, "streams", "a stream").forEach(this::stream);
        sections(topology, "includes", "an include").forEach(this::include);
        YamlNode source = topology.get("topologySource");
        if (source != null) {
            source(topology.of("'topologySource'", source));
        }
        topology.end();
    }

    private <T> void each(
            YamlMap topology, String key, String subject, Function<YamlMap, T> reading, Map<String, T> into) {
        for (YamlMap section : sections(topology, key, subject)) {
            T read = reading.apply(section);
            section.end();
            String id = section.text("id", null);
            if (id != null && into.putIfAbsent(id, read) != null) {
                mistakes.add(section.keyNode("id"), "there are two " + key + " with the id '" + id + "'");
            }
        }
    }

    private ObjectSpec object(YamlMap section, String id) {
        return new ObjectSpec(
                section.where(),
                id == null ? null : required(section, id),
                required(section, "className"),
                arguments(section, "constructorArgs"),
                section.text("factory", null),
                arguments(section, "factoryArgs"),
                properties(section),
                calls(section));
    }

    private List<ArgumentSpec> arguments(YamlMap section, String key) {
        return list(section, key).stream().map(node -> value(section, node)).toList();
    }

    /** Reads a value. A mapping with only {@code ref} or {@code reflist} refers to components; any other mapping is a map. */
    private ArgumentSpec value(YamlMap section, YamlNode node) {
        Position where = node.where();
        if (node.entries().size() == 1) {
            YamlMap reference = section.of("a reference", node);
            if (reference.get("ref") != null) {
                return new ArgumentSpec(where, null, List.of(required(reference, "ref")), ArgumentSpec.Kind.REFERENCE);
            }
            if (reference.get("reflist") != null) {
                return new ArgumentSpec(where, null, texts(reference, "reflist"), ArgumentSpec.Kind.REFERENCES);
            }
        }
        return ArgumentSpec.plain(where, values.of(node));
    }

    private List<ObjectSpec.Property> properties(YamlMap section) {
        List<ObjectSpec.Property> properties = new ArrayList<>();
        for (YamlMap property : sections(section, "properties", "a property")) {
            String name = required(property, "name");
            String reference = property.text("ref", null);
            YamlNode value = property.get("value");
            if (reference != null && value != null) {
                mistakes.add(property.keyNode("ref"), "a property must have either 'value' or 'ref'");
            }
            properties.add(new ObjectSpec.Property(
                    property.where(),
                    name,
                    reference != null
                            ? new ArgumentSpec(
                                    property.keyNode("ref").where(),
                                    null,
                                    List.of(reference),
                                    ArgumentSpec.Kind.REFERENCE)
                            : ArgumentSpec.plain(
                                    property.keyNode("value").where(), value == null ? null : values.of(value))));
            property.end();
        }
        return properties;
    }

    private List<ObjectSpec.Call> calls(YamlMap section) {
        List<ObjectSpec.Call> calls = new ArrayList<>();
        for (YamlMap call : sections(section, "configMethods", "a configuration method")) {
            calls.add(new ObjectSpec.Call(call.where(), required(call, "name"), arguments(call, "args")));
            call.end();
        }
        return calls;
    }

    private VertexSpec vertex(YamlMap section) {
        return new VertexSpec(
                object(section, "id"),
                number(section, "parallelism", 1).orElse(1),
                number(section, "numTasks", 1),
                number(section, "onHeapMemoryLoad", 0),
                number(section, "offHeapMemoryLoad", 0),
                number(section, "cpuLoad", 0));
    }

    private void stream(YamlMap section) {
        section.text("name", null);
        String source = required(section, "from");
        String to = required(section, "to");
        YamlNode node = section.get("grouping");
        if (node == null) {
            mistakes.add(section.where(), "a stream needs 'grouping'");
        } else {
            YamlMap grouping = section.of("a grouping", node);
            grouping(section, source, to, grouping);
            grouping.end();
        }
        section.end();
    }

    private void grouping(YamlMap section, String source, String to, YamlMap grouping) {
        Grouping type = type(grouping);
        String stream = grouping.text("streamId", null);
        List<String> fields = texts(grouping, "args");
        YamlNode custom = grouping.get("customClass");
        ObjectSpec object = null;
        if (custom != null) {
            YamlMap customClass = grouping.of("'customClass'", custom);
            object = object(customClass, null);
            customClass.text("id", null);
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

    private Grouping type(YamlMap grouping) {
        String type = required(grouping, "type");
        try {
            return type.isEmpty() ? null : Grouping.valueOf(type.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            List<String> all = Arrays.stream(Grouping.values()).map(Enum::name).toList();
            mistakes.add(grouping.keyNode("type"), "there is no grouping '" + type + "'" + Spelling.instead(type, all));
            return null;
        }
    }

    private void include(YamlMap section) {
        spec.includes.add(new IncludeSpec(
                section.where(), required(section, "file"), flag(section, "resource"), flag(section, "override")));
        section.end();
    }

    private void source(YamlMap section) {
        spec.source = object(section, null);
        String method = section.text("methodName", null);
        spec.sourceMethod = method == null ? DEFAULT_METHOD : method;
        section.end();
    }

    private static String required(YamlMap section, String key) {
        section.require(key);
        return section.text(key, "");
    }

    private boolean flag(YamlMap section, String key) {
        YamlNode value = section.get(key);
        Object plain = value == null ? Boolean.FALSE : values.of(value);
        if (plain instanceof Boolean flag) {
            return flag;
        }
        wrong(section, key, "true or false");
        return false;
    }

    /**
     * Returns a whole number of at least {@code least}. Empty if the key is missing or the value is -1, which Flux uses for a
     * missing number.
     */
    private OptionalInt number(YamlMap section, String key, int least) {
        YamlNode value = section.get(key);
        if (value == null) {
            return OptionalInt.empty();
        }
        if (values.of(value) instanceof Integer number && (number >= least || number == -1)) {
            return number == -1 ? OptionalInt.empty() : OptionalInt.of(number);
        }
        wrong(section, key, "a whole number of at least " + least);
        return OptionalInt.empty();
    }

    /** Returns the elements of a list; none if the key is missing. */
    private List<YamlNode> list(YamlMap section, String key) {
        YamlNode value = section.get(key);
        if (value != null && !value.is(YamlNode.Kind.LIST)) {
            wrong(section, key, "a list (lines that begin with '-')");
        }
        return value == null ? List.of() : value.items();
    }

    private List<YamlMap> sections(YamlMap section, String key, String subject) {
        return list(section, key).stream()
                .map(node -> section.of(subject, node))
                .toList();
    }

    private List<String> texts(YamlMap section, String key) {
        return list(section, key).stream()
                .map(each -> String.valueOf(values.of(each)))
                .toList();
    }

    private void wrong(YamlMap section, String key, String wanted) {
        mistakes.add(
                section.keyNode(key),
                "'" + key + "' must be " + wanted + ", not " + section.at(key).describe());
    }
}
