package io.updraft.storm;

import io.updraft.storm.context.LinkedBlobs;
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
 * The changes that a rebalance makes to a topology's configuration. {@code storm rebalance} sends all settings given by {@code
 * -c}. Settings that only say how to reach Nimbus, and settings that the topology has already, are therefore ignored.
 */
final class RebalanceConf {

    /** Settings that Nimbus ignores too: they identify the user who submitted the topology. */
    private static final Set<String> NIMBUS_OWN = Set.of(
            Config.TOPOLOGY_SUBMITTER_PRINCIPAL,
            Config.TOPOLOGY_SUBMITTER_USER,
            Config.STORM_ZOOKEEPER_SUPERACL,
            Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_SCHEME,
            Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD,
            Config.STORM_LOCAL_HOSTNAME);

    private static final List<String> CLIENTS_OWN = List.of("nimbus.", "storm.nimbus.", "storm.thrift.");

    /** Settings that are read only at submission, each with another way to change it, or an empty string if there is none. */
    private static final Map<String, String> FIXED = Map.of(
            Config.TOPOLOGY_WORKERS, "set the number of workers instead (-n, num_workers)",
            Config.TOPOLOGY_EVENTLOGGER_EXECUTORS, "set the number of executors of '__eventlogger' instead (-e)",
            Config.TOPOLOGY_TASKS, "",
            Config.TOPOLOGY_MAX_TASK_PARALLELISM, "",
            Config.TOPOLOGY_METRICS_CONSUMER_REGISTER, "",
            Config.TOPOLOGY_BLOBSTORE_MAP, "",
            Config.TOPOLOGY_CLASSPATH, "",
            Config.TOPOLOGY_NAME, "",
            Config.STORM_ID, "",
            LinkedBlobs.DIRECTORY, "");

    private RebalanceConf() {}

    /**
     * Reads the changes.
     *
     * @param options what the caller of rebalance asks for
     * @param whole the topology's configuration with all defaults
     * @param own the topology's own configuration
     * @return the settings that change; empty if none does
     * @throws IllegalArgumentException when the options hold no valid configuration, or a setting that cannot change; the
     *     message is one line for users
     */
    public static Map<String, Object> of(RebalanceOptions options, Map<String, Object> whole, Map<String, Object> own) {
        Map<String, Object> overrides = parsed(options.get_topology_conf_overrides());
        overrides.keySet().removeIf(RebalanceConf::isOfNoConcern);
        overrides.entrySet().removeIf(entry -> isSame(entry.getValue(), whole.get(entry.getKey())));
        overrides.keySet().forEach(RebalanceConf::checkNotFixed);
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
            throw new IllegalArgumentException("the configuration of the rebalance is not a JSON object: " + json, e);
        }
    }

    private static boolean isOfNoConcern(String key) {
        return NIMBUS_OWN.contains(key) || CLIENTS_OWN.stream().anyMatch(key::startsWith);
    }

    /** Compares two values by their JSON, because numbers come in many types. */
    private static boolean isSame(Object one, Object other) {
        return JSONValue.toJSONString(one).equals(JSONValue.toJSONString(other));
    }

    private static void checkNotFixed(String key) {
        String instead = FIXED.get(key);
        if (instead != null) {
            throw new IllegalArgumentException(key + " cannot change after a topology is submitted; "
                    + (instead.isEmpty() ? "kill the topology and submit it again" : instead));
        }
    }
}
