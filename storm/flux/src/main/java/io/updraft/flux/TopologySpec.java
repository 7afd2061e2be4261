package io.updraft.flux;

import io.updraft.storm.yaml.Mistakes;
import io.updraft.storm.yaml.Position;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** The description in one file, later merged with the descriptions in included files. */
final class TopologySpec {
    final Position where;
    final Map<String, Object> config = new LinkedHashMap<>();
    final Map<String, ObjectSpec> components = new LinkedHashMap<>();
    final Map<String, VertexSpec> spouts = new LinkedHashMap<>();
    final Map<String, VertexSpec> bolts = new LinkedHashMap<>();
    final Map<String, ObjectSpec> workerHooks = new LinkedHashMap<>();
    final List<StreamSpec> streams = new ArrayList<>();
    final List<IncludeSpec> includes = new ArrayList<>();

    String name;

    /** The class of the user that builds the topology; null if the description has spouts, bolts and streams instead. */
    ObjectSpec source;

    String sourceMethod;

    TopologySpec(Position where) {
        this.where = where;
    }

    void include(TopologySpec other, boolean override, Mistakes mistakes) {
        if (other.name != null && (name == null || override)) {
            name = other.name;
        }
        merge(config, other.config, override);
        merge(components, other.components, override);
        merge(spouts, other.spouts, override);
        merge(bolts, other.bolts, override);
        merge(workerHooks, other.workerHooks, override);
        streams.addAll(other.streams);
        if (source == null || override && other.source != null) {
            source = other.source;
            sourceMethod = other.sourceMethod;
        }
        for (IncludeSpec deeper : other.includes) {
            mistakes.warn(deeper.where(), "an include in an included file is ignored; include it from " + where.file());
        }
    }

    private static <V> void merge(Map<String, V> into, Map<String, V> more, boolean override) {
        more.forEach((key, value) -> {
            if (override || into.get(key) == null) {
                into.put(key, value);
            }
        });
    }

    /** An included file, which may be a resource of the class path, and whether its entries replace those of the including file. */
    record IncludeSpec(Position where, String file, boolean resource, boolean override) {}

    /**
     * A spout or a bolt. Memory, in MiB, and percent of a core are for Storm's scheduler; off-heap memory is used only together
     * with on-heap memory.
     */
    record VertexSpec(
            ObjectSpec object,
            int parallelism,
            OptionalInt tasks,
            OptionalInt onHeapMiB,
            OptionalInt offHeapMiB,
            OptionalInt cpu) {

        String id() {
            return object.id();
        }

        Position where() {
            return object.where();
        }
    }

    /** A subscription of a bolt to a stream of a component. Only a custom grouping has a class of its own. */
    record StreamSpec(
            Position where,
            String source,
            String to,
            Grouping grouping,
            String streamId,
            List<String> fields,
            ObjectSpec custom) {

        enum Grouping {
            ALL,
            CUSTOM,
            DIRECT,
            SHUFFLE,
            LOCAL_OR_SHUFFLE,
            FIELDS,
            GLOBAL,
            NONE
        }
    }
}
