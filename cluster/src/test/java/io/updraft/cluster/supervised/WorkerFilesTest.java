package io.updraft.cluster.supervised;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cluster.supervised.ClusterConnection.WorkerArguments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.storm.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WorkerFilesTest {

    @TempDir
    private Path directory;

    @Test
    void shouldNumberEachStartLaterThanTheOnesBefore() throws IOException {
        WorkerFiles files = new WorkerFiles(
                Map.of(
                        Config.STORM_LOCAL_DIR,
                        directory.toString(),
                        Config.STORM_WORKERS_ARTIFACTS_DIR,
                        directory.toString()),
                new WorkerArguments("words-1", "node", 6700, 6701, "worker"));
        Path slot = Files.createDirectories(directory.resolve("words-1/6701"));
        long now = System.currentTimeMillis() / 1000;
        long first = files.nextStart();
        assertThat(first).isGreaterThanOrEqualTo(now);
        assertThat(files.nextStart()).isGreaterThan(first);

        // As after a clock was set back.
        Files.writeString(slot.resolve("updraft.start"), Long.toString(now + 1_000));
        assertThat(files.nextStart()).isEqualTo(now + 1_001);

        Files.writeString(slot.resolve("updraft.start"), "");
        assertThat(files.nextStart()).isGreaterThanOrEqualTo(now);
    }
}
