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

/**
 * One change of a running topology, checked as Nimbus would.
 *
 * @param topology what is changed
 * @param change what is to be different
 * @param limit how long messages in flight are waited for
 */
record Rebalance(RunningTopology topology, TopologyChange change, Duration limit) {

    /**
     * Reads and checks options.
     *
     * @throws InvalidTopologyException when something is asked for that cannot be changed, or that is not there
     */
    static Rebalance of(RunningTopology topology, RebalanceOptions options) throws InvalidTopologyException {
        Plan plan = topology.engine().plan();
        Map<String, Object> conf = overrides(topology, options);
        if (!(topology.engine() instanceof RemoteEngine)) {
            if (options.is_set_num_workers() && options.get_num_workers() != 1) {
                throw refusal(
                        topology,
                        "it runs in this process and not in workers; run it with --workers, and their number can change");
            }
            if (!conf.isEmpty()) {
                throw refusal(
                        topology,
                        "the configuration of a topology that runs in this process does not change while it runs; kill"
                                + " it and submit it again");
            }
        }
        Object timeout = plan.conf().get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS);
        int secs = options.is_set_wait_secs() ? options.get_wait_secs() : ObjectReader.getInt(timeout, 30);
        OptionalInt workers =
                options.is_set_num_workers() ? OptionalInt.of(options.get_num_workers()) : OptionalInt.empty();
        TopologyChange change = new TopologyChange(executors(plan, options), workers, conf);
        return new Rebalance(topology, change, Duration.ofSeconds(secs));
    }

    /** As Nimbus, it takes any component of the system's: there are no executors of ackers here that could change. */
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

    private static Map<String, Object> overrides(RunningTopology topology, RebalanceOptions options)
            throws InvalidTopologyException {
        Map<String, Object> whole = topology.engine().plan().conf();
        try {
            return ConfOverrides.of(options, whole, topology.conf());
        } catch (IllegalArgumentException e) {
            throw refusal(topology, e.getMessage());
        }
    }

    /**
     * Changes the topology, and returns when it is done.
     *
     * @throws InvalidTopologyException when it has no such component, or cannot run like that
     * @throws IllegalStateException when it could not be done; the message says what runs now
     */
    void carryOut() throws InvalidTopologyException {
        try {
            if (!topology.rebalance(change, limit)) {
                throw new IllegalStateException("topology '" + topology.name()
                        + "' was not rebalanced: it is ending, or a call of a component's code does not return");
            }
        } catch (InvalidTopology e) {
            throw refusal(topology, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the rebalancing of topology '" + topology.name() + "' was interrupted", e);
        }
    }

    private static InvalidTopologyException refusal(RunningTopology topology, String why) {
        return new WrappedInvalidTopologyException("topology '" + topology.name() + "' is not rebalanced: " + why);
    }
}
