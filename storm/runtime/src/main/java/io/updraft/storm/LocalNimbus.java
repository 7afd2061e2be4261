package io.updraft.storm;

import io.updraft.storm.context.LinkedBlobs;
import io.updraft.storm.text.FailureMessages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.UUID;
import org.apache.storm.generated.BeginDownloadResult;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.ListBlobsResult;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.generated.ReadableBlobMeta;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.SupervisorAssignments;
import org.apache.storm.generated.SupervisorWorkerHeartbeat;
import org.apache.storm.generated.SupervisorWorkerHeartbeats;
import org.apache.storm.generated.WorkerMetrics;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedKeyNotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster of this process behind Nimbus' own interface, for programs that call Nimbus. Their classes are loaded in this
 * process, so that uploaded jars are dropped. Blobs are those of the cluster's open port. Calls that need Storm's daemons fail
 * with a {@link TApplicationException} that names the call.
 *
 * <p>Safe to use from any thread.
 */
public class LocalNimbus extends NimbusCalls {
    private static final Logger LOG = LoggerFactory.getLogger(LocalNimbus.class);

    /**
     * Creates the Nimbus of a cluster, whose kills return at once, as those of Storm's Nimbus.
     *
     * @param cluster runs the topologies
     */
    public LocalNimbus(EmbeddedCluster cluster) {
        this(cluster, NimbusAddress.NONE);
    }

    LocalNimbus(EmbeddedCluster cluster, NimbusAddress address) {
        super(cluster, address);
    }

    /**
     * {@return the Nimbus of a cluster, whose kills return after the end of the topology}
     *
     * @param cluster runs the topologies
     */
    public static Nimbus.Iface of(EmbeddedCluster cluster) {
        return new LocalNimbus(cluster) {
            @Override
            public void killTopologyWithOpts(String name, KillOptions options) throws TException {
                cluster.killTopologyWithOpts(name, options);
            }
        };
    }

    @Override
    public void submitTopology(String name, String jarLocation, String jsonConf, StormTopology topology)
            throws TException {
        cluster().submitTopology(name, Utils.parseJson(jsonConf), topology);
    }

    @Override
    public void submitTopologyWithOpts(
            String name, String jarLocation, String jsonConf, StormTopology topology, SubmitOptions options)
            throws TException {
        cluster().submitTopologyWithOpts(name, Utils.parseJson(jsonConf), topology, options);
    }

    @Override
    public String beginFileUpload() throws TException {
        return "in-process-" + UUID.randomUUID();
    }

    @Override
    public void uploadChunk(String location, ByteBuffer chunk) throws TException {
        chunk.position(chunk.limit());
    }

    @Override
    public void finishFileUpload(String location) throws TException {}

    NimbusBlobs blobs() {
        return cluster().blobs();
    }

    interface FileCall<T, R> {
        R on(T store) throws TException, IOException;
    }

    interface FileAction<T> {
        void on(T store) throws TException, IOException;
    }

    static <T, R> R ask(String call, T store, FileCall<T, R> action) throws TException {
        if (store == null) {
            throw unsupported(call);
        }
        try {
            return action.on(store);
        } catch (IOException e) {
            throw failed(call, e);
        }
    }

    static <T> void change(String call, T store, FileAction<T> action) throws TException {
        ask(call, store, present -> {
            action.on(present);
            return null;
        });
    }

    static TApplicationException failed(String call, Exception cause) {
        LOG.info("Nimbus' call '{}' failed", call, cause);
        return new TApplicationException(TApplicationException.INTERNAL_ERROR, FailureMessages.oneLine(cause));
    }

    private static TApplicationException unsupported(String call) {
        return new TApplicationException(
                TApplicationException.UNKNOWN_METHOD,
                "an embedded cluster does not support Nimbus' call '" + call + "'");
    }

    @Override
    public String beginCreateBlob(String key, SettableBlobMeta meta) throws TException {
        return ask("beginCreateBlob", blobs(), store -> store.beginCreateBlob(key, meta));
    }

    @Override
    public String beginUpdateBlob(String key) throws TException {
        return ask("beginUpdateBlob", blobs(), store -> store.beginUpdateBlob(key));
    }

    @Override
    public void uploadBlobChunk(String session, ByteBuffer chunk) throws TException {
        change("uploadBlobChunk", blobs(), store -> store.uploadBlobChunk(session, chunk));
    }

    @Override
    public void finishBlobUpload(String session) throws TException {
        change("finishBlobUpload", blobs(), store -> store.finishBlobUpload(session));
    }

    @Override
    public void cancelBlobUpload(String session) throws TException {
        change("cancelBlobUpload", blobs(), store -> store.cancelBlobUpload(session));
    }

    /** Without a port, the store is a directory, if the cluster's configuration names one. */
    @Override
    public ReadableBlobMeta getBlobMeta(String key) throws TException {
        NimbusBlobs blobs = blobs();
        if (blobs != null) {
            return blobs.getBlobMeta(key);
        }
        Object directory = cluster().daemonConf().get(LinkedBlobs.DIRECTORY);
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

    @Override
    public void setBlobMeta(String key, SettableBlobMeta meta) throws TException {
        change("setBlobMeta", blobs(), store -> store.setBlobMeta(key, meta));
    }

    @Override
    public BeginDownloadResult beginBlobDownload(String key) throws TException {
        return ask("beginBlobDownload", blobs(), store -> store.beginBlobDownload(key));
    }

    @Override
    public ByteBuffer downloadBlobChunk(String session) throws TException {
        return ask("downloadBlobChunk", blobs(), store -> store.downloadBlobChunk(session));
    }

    @Override
    public void deleteBlob(String key) throws TException {
        change("deleteBlob", blobs(), store -> store.deleteBlob(key));
    }

    @Override
    public ListBlobsResult listBlobs(String session) throws TException {
        return ask("listBlobs", blobs(), store -> store.listBlobs(session));
    }

    @Override
    public int getBlobReplication(String key) throws TException {
        return ask("getBlobReplication", blobs(), store -> store.getBlobReplication(key));
    }

    @Override
    public int updateBlobReplication(String key, int replication) throws TException {
        return ask("updateBlobReplication", blobs(), store -> store.getBlobReplication(key));
    }

    @Override
    public boolean isRemoteBlobExists(String key) throws TException {
        return ask("isRemoteBlobExists", blobs(), store -> store.isRemoteBlobExists(key));
    }

    /** Does nothing: there is no ZooKeeper, and no other server to notify. */
    @Override
    public void createStateInZookeeper(String key) throws TException {
        change("createStateInZookeeper", blobs(), store -> {});
    }

    @Override
    public ByteBuffer downloadChunk(String id) throws TException {
        throw unsupported("downloadChunk");
    }

    @Override
    public void setWorkerProfiler(String id, ProfileRequest request) throws TException {
        throw unsupported("setWorkerProfiler");
    }

    @Override
    public SupervisorAssignments getSupervisorAssignments(String node) throws TException {
        throw unsupported("getSupervisorAssignments");
    }

    @Override
    public void sendSupervisorWorkerHeartbeats(SupervisorWorkerHeartbeats heartbeats) throws TException {
        throw unsupported("sendSupervisorWorkerHeartbeats");
    }

    @Override
    public void sendSupervisorWorkerHeartbeat(SupervisorWorkerHeartbeat heartbeat) throws TException {
        throw unsupported("sendSupervisorWorkerHeartbeat");
    }

    @Override
    public void processWorkerMetrics(WorkerMetrics metrics) throws TException {
        throw unsupported("processWorkerMetrics");
    }
}
