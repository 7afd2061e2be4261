package io.updraft.plugin;

import io.updraft.stormcluster.StormCluster;
import java.nio.file.Path;
import java.util.Map;

/** Storm clusters into whose directory our archive was unpacked, and whose storm.yaml has the two lines. */
final class Clusters {
    private Clusters() {}

    static StormCluster.Builder builder() {
        return withoutLine()
                .config(
                        "supervisor.worker.version.main.map",
                        Map.of(UpdraftValidator.VERSIONS, UpdraftWorker.class.getName()));
    }

    /** Supervisors do not know of Updraft's worker. */
    static StormCluster.Builder withoutLine() {
        return StormCluster.builder()
                .archive(Path.of(System.getProperty("updraft.archive")))
                .config("nimbus.topology.validator", UpdraftValidator.class.getName());
    }
}
