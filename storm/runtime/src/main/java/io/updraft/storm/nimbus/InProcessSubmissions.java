package io.updraft.storm.nimbus;

import io.updraft.storm.blob.LinkedBlobs;
import io.updraft.storm.cluster.EmbeddedCluster;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.UUID;
import org.apache.storm.generated.ReadableBlobMeta;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedKeyNotFoundException;

/**
 * Nimbus calls that submit topologies whose program runs in this process. The jar is not needed, because its classes
 * are loaded here: uploads are dropped. {@link LocalNimbus} finds these methods by name.
 */
final class InProcessSubmissions {
    private final EmbeddedCluster cluster;

    InProcessSubmissions(EmbeddedCluster cluster) {
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

    public String beginFileUpload() {
        return "in-process-" + UUID.randomUUID();
    }

    public void uploadChunk(String location, ByteBuffer chunk) {
        chunk.position(chunk.limit());
    }

    public void finishFileUpload(String location) {}

    /** Reads a blob's description. Without a port, the store is a directory, if the cluster's configuration names one. */
    public ReadableBlobMeta getBlobMeta(String key) throws TException {
        Object directory = cluster.daemonConf().get(LinkedBlobs.DIRECTORY);
        if (directory == null) {
            throw new WrappedKeyNotFoundException("blob '" + key + "': an embedded cluster has no blob store; set "
                    + LinkedBlobs.DIRECTORY + " to a directory with a file for each blob, or open a port");
        }
        Path file = Path.of(directory.toString()).resolve(key);
        if (!Utils.isValidKey(key) || !Files.exists(file)) {
            throw new WrappedKeyNotFoundException("blob '" + key + "' does not exist: put it at " + file);
        }
        SettableBlobMeta meta = new SettableBlobMeta(new ArrayList<>());
        meta.set_replication_factor(1);
        return new ReadableBlobMeta(meta, file.toFile().lastModified());
    }
}
