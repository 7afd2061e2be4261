package io.updraft.storm;

import io.updraft.engine.plan.InvalidTopology;
import io.updraft.engine.plan.Plan;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.storm.Config;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/** One change of a running topology, checked as Nimbus checks it. */
record TopologyRebalance(EmbeddedTopology topology, TopologyChange change, Duration limit) {

    static TopologyRebalance of(EmbeddedTopology topology, RebalanceOptions options) throws InvalidTopologyException {
        Plan plan = topology.engine().plan();
        Map<String, Object> conf = overrides(topology, options);
        if (!(topology.engine() instanceof RemoteEngine)) {
            if (options.is_set_num_workers() && options.get_num_workers() != 1) {
                throw refusal(
                        topology,
                        "it runs in this process, not in workers; run it with --workers to change their number");
            }
            if (!conf.isEmpty()) {
                throw refusal(
                        topology,
                        "a topology that runs in this process cannot change its configuration while it runs; kill"
                                + " the topology and submit it again");
            }
        }
        Object timeout = plan.conf().get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS);
        int secs = options.is_set_wait_secs() ? options.get_wait_secs() : ObjectReader.getInt(timeout, 30);
        OptionalInt workers =
                options.is_set_num_workers() ? OptionalInt.of(options.get_num_workers()) : OptionalInt.empty();
        TopologyChange change = new TopologyChange(executors(plan, options), workers, conf);
        return new TopologyRebalance(topology, change, Duration.ofSeconds(secs));
    }

    /**
     * Reads the numbers of executors. Ignores system components that the topology does not have, such as ackers: Nimbus accepts
     * these too.
     */
    private static Map<String, Integer> executors(Plan plan, RebalanceOptions options) {
        Map<String, Integer> executors = new HashMap<>();
        if (options.is_set_num_executors()) {
            executors.putAll(options.get_num_executors());
        }
        executors
                .keySet()
                .removeIf(id -> Utils.isSystemId(id)
                        && plan.components().stream()
                                .noneMatch(component -> component.id().equals(id)));
        return executors;
    }

    private static Map<String, Object> overrides(EmbeddedTopology topology, RebalanceOptions options)
            throws InvalidTopologyException {
        Map<String, Object> whole = topology.engine().plan().conf();
        try {
            return RebalanceConf.of(options, whole, topology.conf());
        } catch (IllegalArgumentException e) {
            throw refusal(topology, e.getMessage());
        }
    }

    void carryOut() throws InvalidTopologyException {
        try {
            if (!topology.rebalance(change, limit)) {
                throw new IllegalStateException("topology '" + topology.name()
                        + "' was not rebalanced: it is ending, or a call of user code does not return");
            }
        } catch (InvalidTopology e) {
            throw refusal(topology, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the rebalance of topology '" + topology.name() + "' was interrupted", e);
        }
    }

    private static InvalidTopologyException refusal(EmbeddedTopology topology, String why) {
        return new WrappedInvalidTopologyException("topology '" + topology.name() + "' was not rebalanced: " + why);
    }
}
