package io.updraft.stormcluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds Storm clusters; see {@link StormCluster#builder}. */
public final class StormClusterBuilder {

    private int supervisors = 2;
    int slots = 2;
    final Map<String, Object> conf = new LinkedHashMap<>();
    final List<Path> plugins = new ArrayList<>();
    final List<Path> archives = new ArrayList<>();

    StormClusterBuilder() {}

    /**
     * Sets the number of Supervisors.
     *
     * @param number the number, at least 1
     * @return this
     */
    public StormClusterBuilder supervisors(int number) {
        supervisors = number;
        return this;
    }

    /**
     * Sets the maximum number of workers of each Supervisor.
     *
     * @param number the number, at least 1
     * @return this
     */
    public StormClusterBuilder slots(int number) {
        slots = number;
        return this;
    }

    /**
     * Sets a key of {@code storm.yaml} for all daemons.
     *
     * @param key the key
     * @param value the value: a string, number, boolean, or a list or map of these
     * @return this
     */
    public StormClusterBuilder config(String key, Object value) {
        conf.put(key, value);
        return this;
    }

    /**
     * Adds a plug-in to {@code extlib}.
     *
     * @param jarOrClasses a jar, or a directory of classes, which is packed into a jar
     * @return this
     */
    public StormClusterBuilder plugin(Path jarOrClasses) {
        plugins.add(jarOrClasses);
        return this;
    }

    /**
     * Unpacks an archive into Storm's home directory.
     *
     * @param tarGz the archive
     * @return this
     */
    public StormClusterBuilder archive(Path tarGz) {
        archives.add(tarGz);
        return this;
    }

    /**
     * Installs Updraft's workers as an operator does: unpacks the archive and adds two lines to {@code storm.yaml}.
     *
     * @param tarGz the archive
     * @return this
     */
    public StormClusterBuilder updraft(Path tarGz) {
        return archive(tarGz)
                .config("supervisor.worker.version.main.map", Map.of("2.999", "io.updraft.plugin.UpdraftWorker"))
                .config("nimbus.topology.validator", "io.updraft.plugin.UpdraftValidator");
    }

    /**
     * Starts the cluster. Returns when Nimbus answers and all Supervisors have reported to it.
     *
     * @return the cluster, to be closed by the caller
     */
    public StormCluster start() {
        StormCluster cluster = new StormCluster(this);
        try {
            cluster.start(supervisors);
            return cluster;
        } catch (RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
    }
}
