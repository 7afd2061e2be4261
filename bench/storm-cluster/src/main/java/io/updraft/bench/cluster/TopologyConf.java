package io.updraft.bench.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;

/** Converts the bench's configuration to a topology configuration for Storm. */
final class TopologyConf {

    private TopologyConf() {}

    /**
     * Moves the options of {@code worker.childopts} to the front of {@code topology.worker.childopts}. The former is a cluster
     * key, which Storm ignores in a topology's configuration.
     */
    static Map<String, Object> of(Map<String, Object> conf) {
        Map<String, Object> topology = new LinkedHashMap<>(conf);
        List<String> options = new ArrayList<>(options(topology.remove(Config.WORKER_CHILDOPTS)));
        options.addAll(options(topology.get(Config.TOPOLOGY_WORKER_CHILDOPTS)));
        topology.put(Config.TOPOLOGY_WORKER_CHILDOPTS, options);
        return topology;
    }

    /** Splits JVM options as Storm does: a string at white space, a list into its items. */
    private static List<String> options(Object value) {
        if (value instanceof Collection<?> items) {
            return items.stream().map(String::valueOf).toList();
        }
        return value == null || value.toString().isBlank()
                ? List.of()
                : List.of(value.toString().strip().split("\\s+"));
    }
}
