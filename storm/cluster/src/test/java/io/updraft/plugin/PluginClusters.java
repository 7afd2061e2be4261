package io.updraft.plugin;

import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormClusterBuilder;
import java.nio.file.Path;

/** Storm clusters with the archive that the build has created. */
final class PluginClusters {
    private static final Path ARCHIVE = Path.of(System.getProperty("updraft.archive"));

    private PluginClusters() {}

    static StormClusterBuilder builder() {
        return StormCluster.builder().updraft(ARCHIVE);
    }

    /** Supervisors do not know of Updraft's worker. */
    static StormClusterBuilder withoutLine() {
        return StormCluster.builder()
                .archive(ARCHIVE)
                .config("nimbus.topology.validator", UpdraftValidator.class.getName());
    }
}
