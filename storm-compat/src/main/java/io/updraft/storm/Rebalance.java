package io.updraft.storm;

import io.updraft.engine.plan.InvalidTopology;
import io.updraft.engine.plan.Plan;
import java.time.Duration;
import java.util.Map;
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
 * @param executors the numbers of executors by component
 * @param limit how long messages in flight are waited for
 */
record Rebalance(RunningTopology topology, Map<String, Integer> executors, Duration limit) {

    /**
     * Reads and checks options.
     *
     * @throws InvalidTopologyException when something is asked for that cannot be changed, or that is not there
     */
    static Rebalance of(RunningTopology topology, RebalanceOptions options) throws InvalidTopologyException {
        Plan plan = topology.engine().plan();
        if (options.is_set_num_workers() && options.get_num_workers() != plan.workers()) {
            throw refusal(
                    topology,
                    "it runs in " + plan.workers() + (plan.workers() == 1 ? " worker" : " workers")
                            + ", which does not change while it runs; kill it and submit it again");
        }
        if (options.is_set_topology_conf_overrides()
                && !Utils.parseJson(options.get_topology_conf_overrides()).isEmpty()) {
            throw refusal(topology, "its configuration does not change while it runs; kill it and submit it again");
        }
        Map<String, Integer> executors = options.is_set_num_executors() ? options.get_num_executors() : Map.of();
        Object timeout = plan.conf().get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS);
        int secs = options.is_set_wait_secs() ? options.get_wait_secs() : ObjectReader.getInt(timeout, 30);
        return new Rebalance(topology, Map.copyOf(executors), Duration.ofSeconds(secs));
    }

    /**
     * Changes the topology, and returns when it is done.
     *
     * @throws InvalidTopologyException when it has no such component, or runs where it cannot be changed
     * @throws IllegalStateException when user code did not return; nothing has changed then
     */
    void carryOut() throws InvalidTopologyException {
        try {
            if (!executors.isEmpty() && !topology.rebalance(executors, limit)) {
                throw new IllegalStateException("topology '" + topology.name()
                        + "' was not rebalanced: it is ending, or a call of a component's code does not return");
            }
        } catch (InvalidTopology | UnsupportedOperationException e) {
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
