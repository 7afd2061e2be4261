package io.updraft.storm.nimbus;

import io.updraft.storm.blob.NimbusBlobs;
import io.updraft.storm.blob.NimbusUploads;
import io.updraft.storm.cluster.EmbeddedCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/**
 * Nimbus' calls that submit and kill topologies whose classes are not in this process. The client uploads the jar, and the
 * topology gets its own class loader. A kill returns at once, as Nimbus' kill does. {@link LocalNimbus} finds these methods by
 * name.
 */
final class UploadedSubmissions {
    private final EmbeddedCluster cluster;
    private final NimbusUploads uploads;
    private final NimbusBlobs blobs;

    UploadedSubmissions(EmbeddedCluster cluster, NimbusUploads uploads, NimbusBlobs blobs) {
        this.cluster = cluster;
        this.uploads = uploads;
        this.blobs = blobs;
    }

    public String beginFileUpload() throws IOException {
        return uploads.begin("stormjar-", ".jar");
    }

    public void uploadChunk(String location, ByteBuffer chunk) throws IOException {
        uploads.append(location, chunk);
    }

    public void finishFileUpload(String location) throws IOException {
        uploads.finish(location);
    }

    public void submitTopology(String name, String jarLocation, String jsonConf, StormTopology topology)
            throws TException {
        submitTopologyWithOpts(name, jarLocation, jsonConf, topology, new SubmitOptions(TopologyInitialStatus.ACTIVE));
    }

    public void submitTopologyWithOpts(
            String name, String jarLocation, String jsonConf, StormTopology topology, SubmitOptions options)
            throws TException {
        Map<String, Object> conf = Utils.parseJson(jsonConf);
        UploadedJar code = open(name, jarLocation, topology);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(code.loader());
        boolean started = false;
        try {
            cluster.submit(name, conf, topology, options, code::close);
            started = true;
        } finally {
            thread.setContextClassLoader(before);
            if (!started) {
                code.close();
            }
        }
    }

    public void killTopology(String name) throws TException {
        killTopologyWithOpts(name, new KillOptions());
    }

    public void killTopologyWithOpts(String name, KillOptions options) throws TException {
        cluster.requestKill(name, options);
    }

    private Path jarOf(String name, String location) throws TException {
        try {
            return uploads.take(String.valueOf(location));
        } catch (IOException e) {
            throw new WrappedInvalidTopologyException(
                    "topology '" + name + "' was submitted without its jar: " + e.getMessage());
        }
    }

    /**
     * Opens the uploaded jar and copies of the topology's dependencies. Copies do not change with the blobs, so that workers
     * can start again later.
     */
    private UploadedJar open(String name, String jarLocation, StormTopology topology) throws TException {
        Path jar = jarOf(name, jarLocation);
        Path dependencies = null;
        boolean opened = false;
        try {
            List<String> keys = dependenciesOf(topology);
            dependencies = keys.isEmpty() ? null : blobs.link(keys);
            UploadedJar code = UploadedJar.open(jar, dependencies, keys);
            opened = true;
            return code;
        } finally {
            if (!opened) {
                UploadedJar.delete(jar, dependencies);
            }
        }
    }

    private static List<String> dependenciesOf(StormTopology topology) {
        List<String> keys = new ArrayList<>();
        if (topology.is_set_dependency_jars()) {
            keys.addAll(topology.get_dependency_jars());
        }
        if (topology.is_set_dependency_artifacts()) {
            keys.addAll(topology.get_dependency_artifacts());
        }
        return keys.stream().distinct().toList();
    }
}
