package io.updraft.flux;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The description in one file, later merged with the descriptions in included files. */
final class TopologySpec {
    final SourcePosition where;
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

    /** The method of that class that returns the topology. */
    String sourceMethod;

    TopologySpec(SourcePosition where) {
        this.where = where;
    }

    /** Merges the description of an included file into this one. */
    void include(TopologySpec other, boolean override, DescriptionErrors mistakes) {
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
}
