package io.updraft.storm;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.ReadableBlobMeta;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedKeyNotFoundException;

/**
 * The calls of Nimbus with which topologies come and go whose program runs in this process. The jar need not travel: its
 * classes are here, and what is uploaded is dropped. Called by name, see {@link LocalNimbus}.
 */
final class InProcessSubmissions {
    private final UpdraftCluster cluster;

    InProcessSubmissions(UpdraftCluster cluster) {
        this.cluster = cluster;
    }

    public void submitTopology(String name, String jarLocation, String jsonConf, StormTopology topology)
            throws TException {
        cluster.submitTopology(name, Utils.parseJson(jsonConf), topology);
    }

    public void submitTopologyWithOpts(
            String name, String jarLocation, String jsonConf, StormTopology topology, SubmitOptions options)
            throws TException {
        cluster.submitTopologyWithOpts(name, Utils.parseJson(jsonConf), topology, options);
    }

    public void killTopology(String name) throws TException {
        cluster.killTopology(name);
    }

    public void killTopologyWithOpts(String name, KillOptions options) throws TException {
        cluster.killTopologyWithOpts(name, options);
    }

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
}
