package io.updraft.storm;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.Credentials;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.ReadableBlobMeta;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedKeyNotFoundException;

/**
 * The calls of {@code Nimbus.Iface} that mean something in one process. {@link LocalNimbus} finds them here by name and
 * parameters; a call that is not here is refused there.
 */
final class NimbusCalls {
    private final UpdraftCluster cluster;

    NimbusCalls(UpdraftCluster cluster) {
        this.cluster = cluster;
    }

    public boolean isTopologyNameAllowed(String name) {
        try {
            Utils.validateTopologyName(name);
            return cluster.isFree(name);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    public void submitTopology(String name, String jarLocation, String jsonConf, StormTopology topology)
            throws TException {
        cluster.submitTopology(name, confOf(jsonConf), topology);
    }

    public void submitTopologyWithOpts(
            String name, String jarLocation, String jsonConf, StormTopology topology, SubmitOptions options)
            throws TException {
        cluster.submitTopologyWithOpts(name, confOf(jsonConf), topology, options);
    }

    public void killTopology(String name) throws TException {
        cluster.killTopology(name);
    }

    public void killTopologyWithOpts(String name, KillOptions options) throws TException {
        cluster.killTopologyWithOpts(name, options);
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
        return Summaries.leader(cluster.uptimeSecs());
    }

    public ClusterSummary getClusterInfo() throws TException {
        return cluster.getClusterInfo();
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

    /** The jar need not travel: its classes are in this process. What is uploaded is dropped. */
    public String beginFileUpload() {
        return "in-process-" + UUID.randomUUID();
    }

    public void uploadChunk(String location, ByteBuffer chunk) {
        chunk.position(chunk.limit());
    }

    public void finishFileUpload(String location) {}

    public ReadableBlobMeta getBlobMeta(String key) throws TException {
        throw new WrappedKeyNotFoundException(
                "blob '" + key + "': an embedded cluster keeps no blobs; put files where the components can read them");
    }

    private static Map<String, Object> confOf(String json) {
        return Utils.parseJson(json);
    }
}
