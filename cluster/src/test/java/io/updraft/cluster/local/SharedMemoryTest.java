package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.TransportException;
import io.updraft.transport.TransportNames;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.Transports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Local workers over shared-memory transports. */
final class SharedMemoryTest {

    @TempDir
    Path directory;

    @AfterEach
    void shouldLeaveNoProcessBehind() {
        assertThat(TestWorkers.processes()).isEmpty();
    }

    @Test
    @Tag("slow")
    void shouldShareOneAeronDriverAndLeaveNothingBehindThoughAWorkerIsKilled() throws Exception {
        try (TestWorkers cluster = new TestWorkers(directory, 2)
                .with(TransportNames.LOCAL, "aeron")
                .submit(30_000)) {
            cluster.awaitAcked(1_000);
            assertThat(driverFolders()).hasSize(1);
            assertThat(sharedByBoth(cluster, file -> file.endsWith(".logbuffer")))
                    .as("logs that both workers have mapped")
                    .isNotEmpty();
            TestWorkers.signal("KILL", cluster.pid(1));
            cluster.awaitTold("runs again");
            cluster.awaitDone();
        }
        assertThat(driverFolders()).isEmpty();
    }

    @Test
    void shouldTalkThroughSharedMemoryOverUcxByDefault() throws Exception {
        skipWithoutUcx();
        try (TestWorkers cluster =
                new TestWorkers(directory, 2).with(TransportNames.LOCAL, "ucx").submit(30_000)) {
            cluster.awaitAcked(1_000);
            assertThat(sharedByBoth(cluster, file -> file.contains("ucx_shm_posix")))
                    .as("segments that both workers have mapped")
                    .isNotEmpty();
            TestWorkers.signal("KILL", cluster.pid(1));
            cluster.awaitTold("runs again");
            cluster.awaitDone();
        }
    }

    private static void skipWithoutUcx() {
        try {
            Transports.create("ucx", TransportOptions.of(Map.of())).close();
        } catch (TransportException missing) {
            Assumptions.abort(missing.getMessage());
        }
    }

    /** {@return files in memory that both workers have mapped} */
    private static Set<String> sharedByBoth(TestWorkers cluster, Predicate<String> wanted) throws Exception {
        Set<String> first = mapped(cluster.pid(0));
        return mapped(cluster.pid(1)).stream()
                .filter(first::contains)
                .filter(wanted)
                .collect(Collectors.toSet());
    }

    /** By number and name: UCX removes the names of its files. */
    private static Set<String> mapped(long pid) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "maps"))) {
            return lines.map(line -> line.split("\\s+", 6))
                    .filter(columns -> columns.length == 6 && columns[5].startsWith("/dev/shm/"))
                    .map(columns -> columns[4] + " " + columns[5].replace(" (deleted)", ""))
                    .collect(Collectors.toSet());
        }
    }

    /** {@return folders of drivers that run in this process, or in what it has started} */
    private static List<Path> driverFolders() throws IOException {
        Set<Long> ours =
                ProcessHandle.current().descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
        ours.add(ProcessHandle.current().pid());
        try (Stream<Path> all = Files.list(Path.of("/dev/shm"))) {
            return all.filter(folder -> ours.stream()
                            .anyMatch(pid -> folder.getFileName().toString().startsWith("updraft-aeron-" + pid + "-")))
                    .toList();
        }
    }
}
