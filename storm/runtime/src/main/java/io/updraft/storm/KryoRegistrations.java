package io.updraft.storm;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.generated.StormTopology;

/**
 * The Kryo registrations of a whole topology: those of its configuration and those of its components. Trident's components
 * register the ids of their batches. As in Storm's Nimbus, every worker gets all registrations.
 */
final class KryoRegistrations {
    private final Map<String, String> serializers = new TreeMap<>();
    private final Set<String> decorators = new LinkedHashSet<>();

    private KryoRegistrations() {}

    /**
     * Collects the registrations of a topology and its configuration with all defaults, as settings in the form that Storm's
     * Nimbus gives them: a map and a list.
     */
    static Map<String, Object> of(StormTopology topology, Map<String, Object> whole) {
        KryoRegistrations all = new KryoRegistrations();
        StormCommon.allComponents(topology).values().forEach(each -> all.add(StormCommon.componentConf(each)));
        all.add(whole);
        Map<String, Object> settings = new HashMap<>();
        settings.put(Config.TOPOLOGY_KRYO_REGISTER, all.serializers);
        settings.put(Config.TOPOLOGY_KRYO_DECORATORS, new ArrayList<>(all.decorators));
        return settings;
    }

    private void add(Map<String, Object> conf) {
        if (conf.get(Config.TOPOLOGY_KRYO_REGISTER) instanceof List<?> list) {
            list.forEach(this::addSerializer);
        } else if (conf.get(Config.TOPOLOGY_KRYO_REGISTER) instanceof Map<?, ?> map) {
            addSerializer(map);
        }
        if (conf.get(Config.TOPOLOGY_KRYO_DECORATORS) instanceof List<?> list) {
            list.forEach(each -> decorators.add(String.valueOf(each)));
        }
    }

    private void addSerializer(Object registered) {
        if (registered instanceof Map<?, ?> map) {
            map.forEach((name, serializer) ->
                    serializers.put(String.valueOf(name), serializer == null ? null : String.valueOf(serializer)));
        } else {
            serializers.put(String.valueOf(registered), null);
        }
    }
}
