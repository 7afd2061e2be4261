package io.updraft.storm;

import java.util.List;
import org.apache.storm.generated.Credentials;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;

/** The calls that Storm's interfaces of a cluster in this process and of Nimbus have in common. */
abstract class TopologyCalls {
    /** Returns the topologies that have not ended. */
    abstract TopologyRegistry topologies();

    public abstract void killTopologyWithOpts(String topologyName, KillOptions options) throws TException;

    public void activate(String topologyName) throws TException {
        topologies().named(topologyName).activate();
    }

    public void deactivate(String topologyName) throws TException {
        topologies().named(topologyName).deactivate();
    }

    /**
     * Sends new credentials to the components that listen ({@code ICredentialsListener}), each on its own thread,
     * asynchronously.
     *
     * @throws NotAliveException when no topology of this name is alive
     * @throws UnsupportedOperationException when the topology runs in worker processes
     */
    public void uploadNewCredentials(String topologyName, Credentials creds) throws TException {
        topologies().named(topologyName).setCredentials(creds.get_creds());
    }

    /**
     * Switches which tuples a topology sends to its event logger, as Nimbus' {@code debug} does. The topology must have an
     * event logger: {@code topology.eventlogger.executors}.
     *
     * @param topologyName the topology's name
     * @param component one component; null or empty for all components without an option of their own
     * @param enable whether to send any tuple
     * @param samplingPercentage the share of emitted tuples to send, in percent; a value out of bounds is clamped to 0 or 100
     * @throws NotAliveException when no topology of this name is alive
     */
    public void debug(String topologyName, String component, boolean enable, double samplingPercentage)
            throws NotAliveException {
        topologies().named(topologyName).debug(component, enable, samplingPercentage);
    }

    /**
     * Changes the numbers of executors of components. In a topology in worker processes, this can also change the number of
     * workers and the configuration. Returns when the change is complete.
     *
     * <p>A topology in this process is not deactivated and nothing restarts, unlike in Storm: tasks keep their instances and
     * their queued tuples. The wait of the options (by default {@code topology.message.timeout.secs}) applies to messages in
     * flight of a spout whose own number of executors changes. Messages that are not complete by then fail.
     *
     * <p>A topology in worker processes is paused and its tuples in flight are drained, at most as long as the options say. Its
     * workers end, and others start in their place. Meanwhile its status is {@code REBALANCING}.
     *
     * @throws InvalidTopologyException when a component does not exist, or a change is not possible; the topology is unchanged
     * @throws IllegalStateException when another rebalance is in progress; when a call of user code did not return, so that
     *     nothing changed; or when new workers did not start, so that the topology was started again as before
     */
    public void rebalance(String name, RebalanceOptions options) throws TException {
        TopologyRebalance.of(topologies().named(name), options).carryOut();
    }

    public void killTopology(String topologyName) throws TException {
        killTopologyWithOpts(topologyName, new KillOptions());
    }

    public String getTopologyConf(String id) throws TException {
        return JSONValue.toJSONString(topologies().withId(id).conf());
    }

    /** {@return the topology as submitted, without system components} */
    public StormTopology getTopology(String id) throws TException {
        return topologies().withId(id).topology().deepCopy();
    }

    public List<TopologySummary> getTopologySummaries() throws TException {
        return ClusterSummaries.of(topologies().all());
    }

    public TopologySummary getTopologySummaryByName(String name) throws TException {
        return ClusterSummaries.of(topologies().named(name));
    }

    public TopologySummary getTopologySummary(String id) throws TException {
        return ClusterSummaries.of(topologies().withId(id));
    }

    public TopologyInfo getTopologyInfo(String id) throws TException {
        return ClusterSummaries.of(topologies().withId(id), NumErrorsChoice.ALL);
    }

    public TopologyInfo getTopologyInfoByName(String name) throws TException {
        return ClusterSummaries.of(topologies().named(name), NumErrorsChoice.ALL);
    }

    public TopologyInfo getTopologyInfoWithOpts(String id, GetInfoOptions options) throws TException {
        return ClusterSummaries.of(topologies().withId(id), options.get_num_err_choice());
    }

    public TopologyInfo getTopologyInfoByNameWithOpts(String name, GetInfoOptions options) throws TException {
        return ClusterSummaries.of(topologies().named(name), options.get_num_err_choice());
    }
}
