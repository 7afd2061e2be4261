package io.updraft.storm;

import java.util.ArrayList;
import java.util.List;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.Credentials;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.OwnerResourceSummary;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SupervisorPageInfo;
import org.apache.storm.generated.TopologyHistoryInfo;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;

/**
 * Nimbus' calls that query and control topologies. {@link LocalNimbus} finds these methods by name and parameters. Its other
 * parts take submissions, and calls that no part has are refused there.
 */
final class NimbusCalls {
    private final UpdraftCluster cluster;
    private final NimbusAddress address;

    NimbusCalls(UpdraftCluster cluster, NimbusAddress address) {
        this.cluster = cluster;
        this.address = address;
    }

    public boolean isTopologyNameAllowed(String name) {
        try {
            Utils.validateTopologyName(name);
            return cluster.isFree(name);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    public void activate(String name) throws TException {
        cluster.activate(name);
    }

    public void deactivate(String name) throws TException {
        cluster.deactivate(name);
    }

    public void debug(String name, String component, boolean enable, double samplingPercentage) throws TException {
        cluster.debug(name, component, enable, samplingPercentage);
    }

    public void rebalance(String name, RebalanceOptions options) throws TException {
        cluster.rebalance(name, options);
    }

    public void uploadNewCredentials(String name, Credentials credentials) throws TException {
        cluster.uploadNewCredentials(name, credentials);
    }

    public NimbusSummary getLeader() {
        return Summaries.leader(address, cluster.uptimeSecs());
    }

    public ClusterSummary getClusterInfo() throws TException {
        return Summaries.ofCluster(cluster.running(), address, cluster.uptimeSecs());
    }

    public List<TopologySummary> getTopologySummaries() throws TException {
        return cluster.getTopologySummaries();
    }

    public TopologySummary getTopologySummaryByName(String name) throws TException {
        return cluster.getTopologySummaryByName(name);
    }

    public TopologySummary getTopologySummary(String id) throws TException {
        return cluster.getTopologySummary(id);
    }

    public TopologyInfo getTopologyInfo(String id) throws TException {
        return cluster.getTopologyInfo(id);
    }

    public TopologyInfo getTopologyInfoByName(String name) throws TException {
        return cluster.getTopologyInfoByName(name);
    }

    public TopologyInfo getTopologyInfoWithOpts(String id, GetInfoOptions options) throws TException {
        return cluster.getTopologyInfoWithOpts(id, options);
    }

    public TopologyInfo getTopologyInfoByNameWithOpts(String name, GetInfoOptions options) throws TException {
        return cluster.getTopologyInfoByNameWithOpts(name, options);
    }

    public String getTopologyConf(String id) throws TException {
        return cluster.getTopologyConf(id);
    }

    public StormTopology getTopology(String id) throws TException {
        return cluster.getTopology(id);
    }

    public StormTopology getUserTopology(String id) throws TException {
        return cluster.getTopology(id);
    }

    public TopologyPageInfo getTopologyPageInfo(String id, String window, boolean includeSystem) throws TException {
        return TopologyPages.topology(cluster.running(id), window, includeSystem);
    }

    public ComponentPageInfo getComponentPageInfo(String id, String componentId, String window, boolean includeSystem)
            throws TException {
        return TopologyPages.component(cluster.running(id), componentId, window, includeSystem);
    }

    public SupervisorPageInfo getSupervisorPageInfo(String id, String host, boolean includeSystem) throws TException {
        return TopologyPages.supervisor(getClusterInfo(), cluster.running(), id, host);
    }

    public TopologyHistoryInfo getTopologyHistory(String user) {
        return new TopologyHistoryInfo(cluster.submittedIds());
    }

    public List<OwnerResourceSummary> getOwnerResourceSummaries(String owner) {
        return Summaries.ofOwners(cluster.running(), owner);
    }

    /**
     * Returns the configuration without secrets: a client that may read the configuration need not know the cluster's
     * passwords.
     */
    public String getNimbusConf() {
        return JSONValue.toJSONString(Secrets.hide(cluster.daemonConf()));
    }

    public void setLogConfig(String id, LogConfig config) throws TException {
        cluster.setLogLevels(id, config);
    }

    public LogConfig getLogConfig(String id) throws TException {
        return cluster.logLevels().of(cluster.running(id).id());
    }

    /** Returns nothing: there is no profiler, so no profile request is ever pending. */
    public List<ProfileRequest> getComponentPendingProfileActions(String id, String componentId, ProfileAction action)
            throws TException {
        cluster.running(id);
        return new ArrayList<>();
    }
}
