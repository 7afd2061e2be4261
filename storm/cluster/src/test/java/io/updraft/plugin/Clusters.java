package io.updraft.plugin;

import io.updraft.stormcluster.StormCluster;
import java.nio.file.Path;

/** Storm clusters with the archive that the build has created. */
final class Clusters {
    private static final Path ARCHIVE = Path.of(System.getProperty("updraft.archive"));

    private Clusters() {}

    static StormCluster.Builder builder() {
        return StormCluster.builder().updraft(ARCHIVE);
    }

    /** Supervisors do not know of Updraft's worker. */
    static StormCluster.Builder withoutLine() {
        return StormCluster.builder()
                .archive(ARCHIVE)
                .config("nimbus.topology.validator", UpdraftValidator.class.getName());
    }
}
