package io.updraft.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.examples.wordcount.WordCount;
import io.updraft.stormcluster.Jars;
import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormWorkerProcess;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tutorial's word count in workers of either kind. */
@Tag("long")
final class ClusterWordCountTest {

    @TempDir
    private Path directory;

    @Test
    void shouldCountTheSameInWorkersOfEitherKind() {
        try (StormCluster cluster = PluginClusters.builder().start()) {
            Path stock = count(cluster, "stock", false);
            Path updraft = count(cluster, "updraft", true);
            assertThat(cluster.workers("stock")).hasSize(2).allMatch(StormWorkerProcess::isStock);
            assertThat(cluster.workers("updraft")).hasSize(2).noneMatch(StormWorkerProcess::isStock);
            assertThat(updraft).hasSameTextualContentAs(stock).isNotEmptyFile();
        }
    }

    private Path count(StormCluster cluster, String name, boolean enabled) {
        Path out = directory.resolve(name);
        cluster.submit(
                Jars.of(WordCount.class),
                WordCount.class.getName(),
                Map.of(UpdraftKeys.ENABLED, enabled, "topology.workers", 2),
                "--keep",
                "--name",
                name,
                "--out",
                out.toString());
        return out;
    }
}
