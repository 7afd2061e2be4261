package io.updraft.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.driver.MediaDriver;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DriverFolderTest {

    @TempDir
    private Path base;

    @Test
    void shouldRemoveWhatDeadProcessesHaveLeftAndNothingElse() throws Exception {
        Path dead = folder("updraft-aeron-" + deadProcess() + "-1");
        Files.createDirectories(dead.resolve("publications"));
        Files.writeString(dead.resolve("publications").resolve("1.logbuffer"), "x");
        Path ours = folder("updraft-aeron-" + ProcessHandle.current().pid() + "-1");
        Path another = folder("aeron-" + deadProcess() + "-1");
        DriverFolder.removeStale(base);
        assertThat(dead).doesNotExist();
        assertThat(ours).exists();
        assertThat(another).exists();
    }

    @Test
    void shouldKeepTheFolderOfADriverWhoseProcessIsNotSeenButWhoseHeartBeats() throws Exception {
        Path elsewhere = base.resolve("updraft-aeron-" + deadProcess() + "-1");
        try (MediaDriver driver =
                MediaDriver.launch(new MediaDriver.Context().aeronDirectoryName(elsewhere.toString()))) {
            DriverFolder.removeStale(base);
            assertThat(elsewhere).exists();
            assertThat(driver.aeronDirectoryName()).isEqualTo(elsewhere.toString());
        }
    }

    @Test
    void shouldLeaveNoFilesBehindAfterClosing() throws Exception {
        List<Path> before = folders();
        try (Transport transport = new AeronProvider().create(TransportOptions.of(Map.of()))) {
            assertThat(transport.poll()).isGreaterThanOrEqualTo(0);
            assertThat(folders()).hasSize(before.size() + 1);
        }
        assertThat(folders()).isEqualTo(before);
    }

    /** Those of this process: other builds may run on the same machine. */
    private static List<Path> folders() throws IOException {
        String ours = "updraft-aeron-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> all = Files.list(DriverFolder.base())) {
            return all.filter(path -> path.getFileName().toString().startsWith(ours))
                    .sorted()
                    .toList();
        }
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectory(base.resolve(name));
    }

    private static long deadProcess() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        return process.pid();
    }
}
