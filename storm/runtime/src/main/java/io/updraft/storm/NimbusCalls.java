package io.updraft.storm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.OwnerResourceSummary;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SupervisorPageInfo;
import org.apache.storm.generated.TopologyHistoryInfo;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;

/** Nimbus' calls that query and control the topologies of a cluster in this process. A kill returns at once. */
abstract class NimbusCalls extends TopologyCalls implements Nimbus.Iface {
    private final EmbeddedCluster cluster;
    private final NimbusAddress address;

    protected NimbusCalls(EmbeddedCluster cluster, NimbusAddress address) {
        this.cluster = cluster;
        this.address = address;
    }

    public final EmbeddedCluster cluster() {
        return cluster;
    }

    @Override
    TopologyRegistry topologies() {
        return cluster.topologies();
    }

    @Override
    public void killTopologyWithOpts(String name, KillOptions options) throws TException {
        cluster.requestKill(name, options);
    }

    @Override
    public boolean isTopologyNameAllowed(String name) {
        try {
            Utils.validateTopologyName(name);
            return cluster.starts().isFree(name);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Override
    public NimbusSummary getLeader() {
        return ClusterSummaries.leader(address, cluster.uptimeSecs());
    }

    @Override
    public ClusterSummary getClusterInfo() throws TException {
        return ClusterSummaries.ofCluster(topologies().all(), address, cluster.uptimeSecs(), cluster.daemonConf());
    }

    /** The configuration of the page is the cluster's, without secrets, with that of the topology. */
    @Override
    public TopologyPageInfo getTopologyPageInfo(String id, String window, boolean includeSystem) throws TException {
        EmbeddedTopology topology = topologies().withId(id);
        Map<String, Object> conf = SecretMask.hide(cluster.daemonConf());
        conf.putAll(topology.conf());
        TopologyPageInfo page = TopologyPages.topology(topology, window, includeSystem);
        page.set_topology_conf(JSONValue.toJSONString(conf));
        return page;
    }

    @Override
    public ComponentPageInfo getComponentPageInfo(String id, String component, String window, boolean includeSystem)
            throws TException {
        return TopologyPages.component(topologies().withId(id), component, window, includeSystem);
    }

    @Override
    public SupervisorPageInfo getSupervisorPageInfo(String id, String host, boolean includeSystem) throws TException {
        return TopologyPages.supervisor(getClusterInfo(), topologies().all(), id, host);
    }

    @Override
    public StormTopology getUserTopology(String id) throws TException {
        return cluster.getTopology(id);
    }

    @Override
    public TopologyHistoryInfo getTopologyHistory(String user) {
        return new TopologyHistoryInfo(cluster.starts().ids());
    }

    @Override
    public List<OwnerResourceSummary> getOwnerResourceSummaries(String owner) {
        return ClusterSummaries.ofOwners(topologies().all(), owner);
    }

    /** Leaves out secrets: a client that may read the configuration need not know the cluster's passwords. */
    @Override
    public String getNimbusConf() {
        return JSONValue.toJSONString(SecretMask.hide(cluster.daemonConf()));
    }

    @Override
    public void setLogConfig(String id, LogConfig config) throws TException {
        cluster.setLogLevels(id, config);
    }

    @Override
    public LogConfig getLogConfig(String id) throws TException {
        return cluster.logLevels().of(topologies().withId(id).id());
    }

    /** Returns nothing: there is no profiler, so no profile request is ever pending. */
    @Override
    public List<ProfileRequest> getComponentPendingProfileActions(String id, String component, ProfileAction action)
            throws TException {
        topologies().withId(id);
        return new ArrayList<>();
    }
}
