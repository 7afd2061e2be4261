package io.updraft.cluster.supervised;

import io.updraft.cluster.supervised.ClusterConnection.WorkerArguments;
import io.updraft.observe.death.DeathDirectory;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.storm.Config;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.LSWorkerHeartbeat;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.LocalState;
import org.apache.storm.utils.Time;

/** The files of a worker on its host: those that its Supervisor reads, and those that its Supervisor has prepared for it. */
record WorkerFiles(Map<String, Object> conf, WorkerArguments arguments) {
    /** Number of versions of the heartbeat file that are kept while the Supervisor does not read it. */
    private static final int MAX_HEARTBEATS = 60;

    /** The name of the file to which a blob's link points: the version is its suffix. */
    private static final Pattern VERSIONED = Pattern.compile(".*\\.([0-9]+)");

    /** Writes the worker's process id into files for the Supervisor and for profiling tools. */
    void announce() throws IOException {
        String pid = Long.toString(ProcessHandle.current().pid());
        Path file = pids().resolve(pid);
        if (!Files.exists(file)) {
            Files.createFile(file);
        }
        Files.writeString(
                Path.of(ConfigUtils.workerArtifactsPidPath(conf, arguments.topologyId(), arguments.port())), pid);
    }

    /** Returns the directory with a file for each process of the worker, named by the process id. */
    Path pids() {
        return Path.of(ConfigUtils.workerPidsRoot(conf, arguments.workerId()));
    }

    /** Returns the directory of the worker's capsules, beside its log, where Storm's UI shows them. */
    DeathDirectory deaths() {
        return new DeathDirectory(
                Path.of(ConfigUtils.workerArtifactsRoot(conf, arguments.topologyId(), arguments.port())));
    }

    Path resources() throws IOException {
        return Path.of(ConfigUtils.supervisorStormResourcesPath(distribution()));
    }

    private String distribution() throws IOException {
        return ConfigUtils.supervisorStormDistRoot(conf, arguments.topologyId());
    }

    /**
     * Returns a number for this start of the worker: seconds since the epoch, or more. It is larger than all numbers of this
     * topology's earlier starts in the slot, even if the clock was set back.
     */
    long nextStart() throws IOException {
        Path file = Path.of(
                ConfigUtils.workerArtifactsRoot(conf, arguments.topologyId(), arguments.port()), "updraft.start");
        long start = Math.max(Time.currentTimeSecs(), Files.exists(file) ? 1 + lastStart(file) : 0);
        Files.writeString(file, Long.toString(start));
        return start;
    }

    private static long lastStart(Path file) throws IOException {
        try {
            return Long.parseLong(Files.readString(file).strip());
        } catch (NumberFormatException halfWritten) {
            return 0;
        }
    }

    LSWorkerHeartbeat beat(List<ExecutorInfo> executors) throws IOException {
        LSWorkerHeartbeat beat = WorkerHeartbeats.local(arguments, executors);
        LocalState state = ConfigUtils.workerState(conf, arguments.workerId());
        state.setWorkerHeartBeat(beat);
        state.cleanup(MAX_HEARTBEATS);
        return beat;
    }

    /**
     * Reads the version of each blob of the topology, by its local name. The Supervisor updates the link of a blob to a new
     * version.
     */
    Map<String, Long> blobVersions(Map<String, Object> topologyConf) throws IOException {
        Map<String, Long> versions = new HashMap<>();
        if (topologyConf.get(Config.TOPOLOGY_BLOBSTORE_MAP) instanceof Map<?, ?> blobs) {
            for (Map.Entry<?, ?> blob : blobs.entrySet()) {
                Object given = blob.getValue() instanceof Map<?, ?> info ? info.get("localname") : null;
                String name = String.valueOf(given == null ? blob.getKey() : given);
                String file = new File(distribution(), name).getCanonicalFile().getName();
                Matcher version = VERSIONED.matcher(file);
                if (version.matches()) {
                    versions.put(name, Long.valueOf(version.group(1)));
                }
            }
        }
        return versions;
    }
}
