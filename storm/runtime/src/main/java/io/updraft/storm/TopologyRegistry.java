package io.updraft.storm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.utils.WrappedNotAliveException;

/** The topologies of one cluster that have not ended, by name, including those being killed. Safe to use from any thread. */
final class TopologyRegistry {
    private final Map<String, EmbeddedTopology> byName = new LinkedHashMap<>();

    synchronized void add(EmbeddedTopology topology) {
        byName.put(topology.name(), topology);
    }

    synchronized void remove(EmbeddedTopology topology) {
        byName.remove(topology.name(), topology);
    }

    synchronized boolean has(String name) {
        return byName.containsKey(name);
    }

    synchronized List<EmbeddedTopology> all() {
        return new ArrayList<>(byName.values());
    }

    synchronized EmbeddedTopology named(String name) throws NotAliveException {
        EmbeddedTopology topology = byName.get(name);
        if (topology == null) {
            throw new WrappedNotAliveException("there is no topology named '" + name + "'; " + alive());
        }
        return topology;
    }

    synchronized EmbeddedTopology withId(String id) throws NotAliveException {
        for (EmbeddedTopology topology : byName.values()) {
            if (topology.id().equals(id)) {
                return topology;
            }
        }
        String hint = byName.containsKey(id)
                ? "that is a topology's name; the id is '" + byName.get(id).id() + "'"
                : alive();
        throw new WrappedNotAliveException("there is no topology with the id '" + id + "'; " + hint);
    }

    private String alive() {
        return byName.isEmpty() ? "none is running" : "running: " + String.join(", ", byName.keySet());
    }
}
