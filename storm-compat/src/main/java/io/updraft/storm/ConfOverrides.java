package io.updraft.storm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.Utils;
import org.apache.storm.validation.ConfigValidation;

/**
 * What a rebalance is to change in a topology's configuration. {@code storm rebalance} sends all that it was told by {@code -c}
 * along with it, so that what only says how to reach Nimbus is left out, as is what a topology has already.
 */
final class ConfOverrides {

    /** Nimbus leaves these out too: they say who has submitted the topology. */
    private static final Set<String> NIMBUS_OWN = Set.of(
            Config.TOPOLOGY_SUBMITTER_PRINCIPAL,
            Config.TOPOLOGY_SUBMITTER_USER,
            Config.STORM_ZOOKEEPER_SUPERACL,
            Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_SCHEME,
            Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD,
            Config.STORM_LOCAL_HOSTNAME);

    private static final List<String> CLIENTS_OWN = List.of("nimbus.", "storm.nimbus.", "storm.thrift.");

    /** What was used up when the topology was submitted, with the way to change it, if there is one. */
    private static final Map<String, String> FIXED = Map.of(
            Config.TOPOLOGY_WORKERS, "say how many workers there are to be (-n, num_workers)",
            Config.TOPOLOGY_EVENTLOGGER_EXECUTORS, "say how many executors '__eventlogger' is to have (-e)",
            Config.TOPOLOGY_TASKS, "",
            Config.TOPOLOGY_MAX_TASK_PARALLELISM, "",
            Config.TOPOLOGY_METRICS_CONSUMER_REGISTER, "",
            Config.TOPOLOGY_BLOBSTORE_MAP, "",
            Config.TOPOLOGY_CLASSPATH, "",
            Config.TOPOLOGY_NAME, "",
            Config.STORM_ID, "",
            Blobs.DIRECTORY, "");

    private ConfOverrides() {}

    /**
     * Reads them.
     *
     * @param options what was asked for
     * @param whole the configuration of the topology as it is
     * @param own what of it was submitted
     * @return what is to be different; empty if nothing is
     * @throws IllegalArgumentException when that is no configuration, or cannot be changed; the message is one line for people
     */
    static Map<String, Object> of(RebalanceOptions options, Map<String, Object> whole, Map<String, Object> own) {
        Map<String, Object> overrides = parsed(options.get_topology_conf_overrides());
        overrides.keySet().removeIf(ConfOverrides::isOfNoConcern);
        overrides.entrySet().removeIf(entry -> isSame(entry.getValue(), whole.get(entry.getKey())));
        overrides.keySet().forEach(ConfOverrides::checkNotFixed);
        if (!overrides.isEmpty()) {
            Map<String, Object> changed = new HashMap<>(own);
            changed.putAll(overrides);
            ConfigValidation.validateTopoConf(changed);
        }
        return overrides;
    }

    private static Map<String, Object> parsed(String json) {
        if (json == null || json.isBlank()) {
            return new HashMap<>();
        }
        try {
            return new HashMap<>(Utils.parseJson(json));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "the configuration to put over its own is not a JSON object: " + json, e);
        }
    }

    private static boolean isOfNoConcern(String key) {
        return NIMBUS_OWN.contains(key) || CLIENTS_OWN.stream().anyMatch(key::startsWith);
    }

    /** As JSON would have it: numbers come in many types. */
    private static boolean isSame(Object one, Object other) {
        return JSONValue.toJSONString(one).equals(JSONValue.toJSONString(other));
    }

    private static void checkNotFixed(String key) {
        String instead = FIXED.get(key);
        if (instead != null) {
            throw new IllegalArgumentException(key + " does not change once a topology is submitted; "
                    + (instead.isEmpty() ? "kill it and submit it again" : instead));
        }
    }
}
