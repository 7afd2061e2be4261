package io.updraft.local;

import io.updraft.storm.UpdraftCluster;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.apache.storm.generated.BeginDownloadResult;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.Credentials;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.ListBlobsResult;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.OwnerResourceSummary;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.generated.ReadableBlobMeta;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.SupervisorAssignments;
import org.apache.storm.generated.SupervisorPageInfo;
import org.apache.storm.generated.SupervisorWorkerHeartbeat;
import org.apache.storm.generated.SupervisorWorkerHeartbeats;
import org.apache.storm.generated.TopologyHistoryInfo;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.generated.WorkerMetrics;
import org.apache.storm.thrift.TException;

/**
 * Forwards every call of Nimbus to another implementation. A base for types that are classes in Storm and must be classes here.
 */
public abstract class ForwardingNimbus implements Nimbus.Iface {
    private final Nimbus.Iface nimbus;

    /**
     * Creates the forwarder.
     *
     * @param nimbus receives the calls
     */
    protected ForwardingNimbus(Nimbus.Iface nimbus) {
        this.nimbus = Objects.requireNonNull(nimbus);
    }

    /** {@return the cluster that answers the calls} */
    public abstract UpdraftCluster updraft();

    @Override
    public void submitTopology(String name, String jarLocation, String jsonConf, StormTopology topology)
            throws TException {
        nimbus.submitTopology(name, jarLocation, jsonConf, topology);
    }

    @Override
    public void submitTopologyWithOpts(
            String name, String jarLocation, String jsonConf, StormTopology topology, SubmitOptions options)
            throws TException {
        nimbus.submitTopologyWithOpts(name, jarLocation, jsonConf, topology, options);
    }

    @Override
    public void killTopology(String name) throws TException {
        nimbus.killTopology(name);
    }

    @Override
    public void killTopologyWithOpts(String name, KillOptions options) throws TException {
        nimbus.killTopologyWithOpts(name, options);
    }

    @Override
    public void activate(String name) throws TException {
        nimbus.activate(name);
    }

    @Override
    public void deactivate(String name) throws TException {
        nimbus.deactivate(name);
    }

    @Override
    public void rebalance(String name, RebalanceOptions options) throws TException {
        nimbus.rebalance(name, options);
    }

    @Override
    public void setLogConfig(String name, LogConfig config) throws TException {
        nimbus.setLogConfig(name, config);
    }

    @Override
    public LogConfig getLogConfig(String name) throws TException {
        return nimbus.getLogConfig(name);
    }

    @Override
    public void debug(String name, String component, boolean enable, double samplingPercentage) throws TException {
        nimbus.debug(name, component, enable, samplingPercentage);
    }

    @Override
    public void setWorkerProfiler(String id, ProfileRequest request) throws TException {
        nimbus.setWorkerProfiler(id, request);
    }

    @Override
    public List<ProfileRequest> getComponentPendingProfileActions(String id, String component, ProfileAction action)
            throws TException {
        return nimbus.getComponentPendingProfileActions(id, component, action);
    }

    @Override
    public void uploadNewCredentials(String name, Credentials credentials) throws TException {
        nimbus.uploadNewCredentials(name, credentials);
    }

    @Override
    public String beginCreateBlob(String key, SettableBlobMeta meta) throws TException {
        return nimbus.beginCreateBlob(key, meta);
    }

    @Override
    public String beginUpdateBlob(String key) throws TException {
        return nimbus.beginUpdateBlob(key);
    }

    @Override
    public void uploadBlobChunk(String session, ByteBuffer chunk) throws TException {
        nimbus.uploadBlobChunk(session, chunk);
    }

    @Override
    public void finishBlobUpload(String session) throws TException {
        nimbus.finishBlobUpload(session);
    }

    @Override
    public void cancelBlobUpload(String session) throws TException {
        nimbus.cancelBlobUpload(session);
    }

    @Override
    public ReadableBlobMeta getBlobMeta(String key) throws TException {
        return nimbus.getBlobMeta(key);
    }

    @Override
    public void setBlobMeta(String key, SettableBlobMeta meta) throws TException {
        nimbus.setBlobMeta(key, meta);
    }

    @Override
    public BeginDownloadResult beginBlobDownload(String key) throws TException {
        return nimbus.beginBlobDownload(key);
    }

    @Override
    public ByteBuffer downloadBlobChunk(String session) throws TException {
        return nimbus.downloadBlobChunk(session);
    }

    @Override
    public void deleteBlob(String key) throws TException {
        nimbus.deleteBlob(key);
    }

    @Override
    public ListBlobsResult listBlobs(String session) throws TException {
        return nimbus.listBlobs(session);
    }

    @Override
    public int getBlobReplication(String key) throws TException {
        return nimbus.getBlobReplication(key);
    }

    @Override
    public int updateBlobReplication(String key, int replication) throws TException {
        return nimbus.updateBlobReplication(key, replication);
    }

    @Override
    public void createStateInZookeeper(String key) throws TException {
        nimbus.createStateInZookeeper(key);
    }

    @Override
    public String beginFileUpload() throws TException {
        return nimbus.beginFileUpload();
    }

    @Override
    public void uploadChunk(String location, ByteBuffer chunk) throws TException {
        nimbus.uploadChunk(location, chunk);
    }

    @Override
    public void finishFileUpload(String location) throws TException {
        nimbus.finishFileUpload(location);
    }

    @Override
    public ByteBuffer downloadChunk(String id) throws TException {
        return nimbus.downloadChunk(id);
    }

    @Override
    public String getNimbusConf() throws TException {
        return nimbus.getNimbusConf();
    }

    @Override
    public ClusterSummary getClusterInfo() throws TException {
        return nimbus.getClusterInfo();
    }

    @Override
    public List<TopologySummary> getTopologySummaries() throws TException {
        return nimbus.getTopologySummaries();
    }

    @Override
    public TopologySummary getTopologySummaryByName(String name) throws TException {
        return nimbus.getTopologySummaryByName(name);
    }

    @Override
    public TopologySummary getTopologySummary(String id) throws TException {
        return nimbus.getTopologySummary(id);
    }

    @Override
    public NimbusSummary getLeader() throws TException {
        return nimbus.getLeader();
    }

    @Override
    public boolean isTopologyNameAllowed(String name) throws TException {
        return nimbus.isTopologyNameAllowed(name);
    }

    @Override
    public TopologyInfo getTopologyInfoByName(String name) throws TException {
        return nimbus.getTopologyInfoByName(name);
    }

    @Override
    public TopologyInfo getTopologyInfo(String id) throws TException {
        return nimbus.getTopologyInfo(id);
    }

    @Override
    public TopologyInfo getTopologyInfoByNameWithOpts(String name, GetInfoOptions options) throws TException {
        return nimbus.getTopologyInfoByNameWithOpts(name, options);
    }

    @Override
    public TopologyInfo getTopologyInfoWithOpts(String id, GetInfoOptions options) throws TException {
        return nimbus.getTopologyInfoWithOpts(id, options);
    }

    @Override
    public TopologyPageInfo getTopologyPageInfo(String id, String window, boolean includeSystem) throws TException {
        return nimbus.getTopologyPageInfo(id, window, includeSystem);
    }

    @Override
    public SupervisorPageInfo getSupervisorPageInfo(String id, String host, boolean includeSystem) throws TException {
        return nimbus.getSupervisorPageInfo(id, host, includeSystem);
    }

    @Override
    public ComponentPageInfo getComponentPageInfo(String id, String component, String window, boolean includeSystem)
            throws TException {
        return nimbus.getComponentPageInfo(id, component, window, includeSystem);
    }

    @Override
    public String getTopologyConf(String id) throws TException {
        return nimbus.getTopologyConf(id);
    }

    @Override
    public StormTopology getTopology(String id) throws TException {
        return nimbus.getTopology(id);
    }

    @Override
    public StormTopology getUserTopology(String id) throws TException {
        return nimbus.getUserTopology(id);
    }

    @Override
    public TopologyHistoryInfo getTopologyHistory(String user) throws TException {
        return nimbus.getTopologyHistory(user);
    }

    @Override
    public List<OwnerResourceSummary> getOwnerResourceSummaries(String owner) throws TException {
        return nimbus.getOwnerResourceSummaries(owner);
    }

    @Override
    public SupervisorAssignments getSupervisorAssignments(String node) throws TException {
        return nimbus.getSupervisorAssignments(node);
    }

    @Override
    public void sendSupervisorWorkerHeartbeats(SupervisorWorkerHeartbeats heartbeats) throws TException {
        nimbus.sendSupervisorWorkerHeartbeats(heartbeats);
    }

    @Override
    public void sendSupervisorWorkerHeartbeat(SupervisorWorkerHeartbeat heartbeat) throws TException {
        nimbus.sendSupervisorWorkerHeartbeat(heartbeat);
    }

    @Override
    public void processWorkerMetrics(WorkerMetrics metrics) throws TException {
        nimbus.processWorkerMetrics(metrics);
    }

    @Override
    public boolean isRemoteBlobExists(String key) throws TException {
        return nimbus.isRemoteBlobExists(key);
    }
}
