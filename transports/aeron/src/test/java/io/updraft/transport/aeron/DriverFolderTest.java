package io.updraft.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.driver.MediaDriver;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
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
        Path logs = Files.createDirectories(dead.resolve("driver").resolve("publications"));
        Files.writeString(logs.resolve("1.logbuffer"), "x");
        Path young = folder("updraft-aeron-" + deadProcess() + "-1");
        Path old = folder("updraft-aeron-" + deadProcess() + "-1");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(60)));
        Path ours = folder("updraft-aeron-" + ProcessHandle.current().pid() + "-1");
        Path another = folder("aeron-" + deadProcess() + "-1");
        DriverFolder.removeStale(base);
        assertThat(dead).doesNotExist();
        assertThat(old).doesNotExist();
        assertThat(young).as("where a driver may just be about to start").exists();
        assertThat(ours).exists();
        assertThat(another).exists();
    }

    @Test
    void shouldKeepTheFolderOfADriverWhoseProcessIsNotSeenButWhoseHeartBeats() throws Exception {
        Path elsewhere = folder("updraft-aeron-" + deadProcess() + "-1").resolve("driver");
        try (MediaDriver driver =
                MediaDriver.launch(new MediaDriver.Context().aeronDirectoryName(elsewhere.toString()))) {
            DriverFolder.removeStale(base);
            assertThat(elsewhere).exists();
            assertThat(driver.aeronDirectoryName()).isEqualTo(elsewhere.toString());
        }
    }

    @Test
    void shouldNameADirectoryThatIsTooSmall() throws Exception {
        assertThat(DriverFolder.objection(base, 0)).isEmpty();
        assertThat(DriverFolder.objection(base, Long.MAX_VALUE).orElseThrow())
                .startsWith(base + " has only ")
                .contains(" MiB free of the ");
        assertThat(DriverFolder.objection(base.resolve("none"), 0))
                .contains(base.resolve("none") + " cannot be written");
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

    @Test
    void shouldLetNobodyElseLookIntoItsFolder() throws Exception {
        List<Path> before = folders();
        try (Transport transport = new AeronProvider().create(TransportOptions.of(Map.of()))) {
            List<Path> ours = folders();
            ours.removeAll(before);
            assertThat(ours).as("the folder of %s", transport.name()).hasSize(1);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ours.get(0))))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void shouldNotTakeAFolderThatSomebodyElseHasMadeFirst() throws Exception {
        Path last = DriverFolder.create();
        String name = last.getParent().getFileName().toString();
        int number = Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)) + 1;
        Path guessed = last.getParent().resolveSibling(name.substring(0, name.lastIndexOf('-') + 1) + number);
        Files.createDirectory(guessed);
        Path next = DriverFolder.create();
        try {
            assertThat(next.getParent()).isNotEqualTo(guessed);
        } finally {
            Files.delete(guessed);
            DriverFolder.removeWithParent(last);
            DriverFolder.removeWithParent(next);
        }
    }

    /** Those of this process: other builds may run on the same machine. */
    private static List<Path> folders() throws IOException {
        String ours = "updraft-aeron-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> all = Files.list(DriverFolder.base())) {
            return new ArrayList<>(
                    all.filter(path -> path.getFileName().toString().startsWith(ours))
                            .sorted()
                            .toList());
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
