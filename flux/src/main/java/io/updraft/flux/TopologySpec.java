package io.updraft.flux;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one file says, and later what it says together with the files it includes. */
final class TopologySpec {
    final Where where;
    final Map<String, Object> config = new LinkedHashMap<>();
    final Map<String, ObjectSpec> components = new LinkedHashMap<>();
    final Map<String, VertexSpec> spouts = new LinkedHashMap<>();
    final Map<String, VertexSpec> bolts = new LinkedHashMap<>();
    final Map<String, ObjectSpec> workerHooks = new LinkedHashMap<>();
    final List<StreamSpec> streams = new ArrayList<>();
    final List<IncludeSpec> includes = new ArrayList<>();

    String name;

    /** What makes the topology, if a class of the user's does; then there are no spouts, bolts and streams. */
    ObjectSpec source;

    /** The method of that class. */
    String sourceMethod;

    TopologySpec(Where where) {
        this.where = where;
    }

    /** Adds what an included file says. */
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
            mistakes.warn(deeper.where(), "includes of an included file do not count; include it from " + where.file());
        }
    }

    private static <V> void merge(Map<String, V> into, Map<String, V> more, boolean override) {
        more.forEach((key, value) -> {
            if (override) {
                into.put(key, value);
            } else {
                into.putIfAbsent(key, value);
            }
        });
    }
}
