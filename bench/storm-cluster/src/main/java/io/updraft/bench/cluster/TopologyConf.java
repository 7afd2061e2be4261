package io.updraft.bench.cluster;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;

/** A topology's configuration as Storm is given it. */
final class TopologyConf {

    private TopologyConf() {}

    /**
     * Moves {@code worker.childopts} to {@code topology.worker.childopts}, before what is there: the former is a key of the
     * cluster, which Storm does not look for in a topology's configuration.
     */
    static Map<String, Object> of(Map<String, Object> conf) {
        Map<String, Object> topology = new LinkedHashMap<>(conf);
        List<String> options = new ArrayList<>(options(topology.remove(Config.WORKER_CHILDOPTS)));
        options.addAll(options(topology.get(Config.TOPOLOGY_WORKER_CHILDOPTS)));
        topology.put(Config.TOPOLOGY_WORKER_CHILDOPTS, options);
        return topology;
    }

    /** As Storm reads them: a string is split at white space, a list is taken item by item. */
    private static List<String> options(Object value) {
        if (value instanceof Collection<?> items) {
            return items.stream().map(String::valueOf).toList();
        }
        return value == null || value.toString().isBlank()
                ? List.of()
                : List.of(value.toString().strip().split("\\s+"));
    }
}
