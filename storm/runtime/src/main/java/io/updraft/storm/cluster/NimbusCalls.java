package io.updraft.storm.cluster;

import io.updraft.storm.conf.SecretMask;
import io.updraft.storm.nimbus.LocalNimbus;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.LogConfig;
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

/**
 * Nimbus' calls that the cluster itself does not have. {@link LocalNimbus} finds these methods by name and parameters, and those
 * of the cluster, which queries and controls topologies.
 */
public final class NimbusCalls {
    private final EmbeddedCluster cluster;
    private final NimbusAddress address;

    public NimbusCalls(EmbeddedCluster cluster, NimbusAddress address) {
        this.cluster = cluster;
        this.address = address;
    }

    private TopologyRegistry topologies() {
        return cluster.topologies();
    }

    public boolean isTopologyNameAllowed(String name) {
        try {
            Utils.validateTopologyName(name);
            return cluster.starts().isFree(name);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    public NimbusSummary getLeader() {
        return ClusterSummaries.leader(address, cluster.uptimeSecs());
    }

    public ClusterSummary getClusterInfo() throws TException {
        return ClusterSummaries.ofCluster(topologies().all(), address, cluster.uptimeSecs());
    }

    public StormTopology getUserTopology(String id) throws TException {
        return cluster.getTopology(id);
    }

    public TopologyPageInfo getTopologyPageInfo(String id, String window, boolean includeSystem) throws TException {
        return TopologyPages.topology(topologies().withId(id), window, includeSystem);
    }

    public ComponentPageInfo getComponentPageInfo(String id, String componentId, String window, boolean includeSystem)
            throws TException {
        return TopologyPages.component(topologies().withId(id), componentId, window, includeSystem);
    }

    public SupervisorPageInfo getSupervisorPageInfo(String id, String host, boolean includeSystem) throws TException {
        return TopologyPages.supervisor(getClusterInfo(), topologies().all(), id, host);
    }

    public TopologyHistoryInfo getTopologyHistory(String user) {
        return new TopologyHistoryInfo(cluster.starts().ids());
    }

    public List<OwnerResourceSummary> getOwnerResourceSummaries(String owner) {
        return ClusterSummaries.ofOwners(topologies().all(), owner);
    }

    /**
     * Returns the configuration without secrets: a client that may read the configuration need not know the cluster's
     * passwords.
     */
    public String getNimbusConf() {
        return JSONValue.toJSONString(SecretMask.hide(cluster.daemonConf()));
    }

    public void setLogConfig(String id, LogConfig config) throws TException {
        cluster.setLogLevels(id, config);
    }

    public LogConfig getLogConfig(String id) throws TException {
        return cluster.logLevels().of(topologies().withId(id).id());
    }

    /** Returns nothing: there is no profiler, so no profile request is ever pending. */
    public List<ProfileRequest> getComponentPendingProfileActions(String id, String componentId, ProfileAction action)
            throws TException {
        topologies().withId(id);
        return new ArrayList<>();
    }
}
