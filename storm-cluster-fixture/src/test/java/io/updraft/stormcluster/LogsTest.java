package io.updraft.stormcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads errors and readiness from the logs of a cluster. */
final class LogsTest {

    @TempDir
    private Path home;

    private Logs logs;
    private Path workerLog;

    @BeforeEach
    void layOut() throws IOException {
        Path slot = Files.createDirectories(home.resolve("logs/workers-artifacts/topology-1/6700"));
        workerLog = slot.resolve("worker.log");
        logs = new Logs(new StormHome(home));
    }

    @Test
    void shouldFindTheLastErrorOfADaemonThatCannotHaveItsPort() throws IOException {
        Files.writeString(home.resolve("logs/zookeeper.log"), "10:00:00.000 INFO  [main] o.a.z.S binding\n");
        Files.writeString(
                home.resolve("logs/zookeeper.out"),
                "something\njava.net.BindException: Address already in use\n\tat sun.nio.ch.Net.bind0(Native Method)\n");
        assertThat(logs.complaint("zookeeper")).contains("java.net.BindException: Address already in use");
        assertThat(logs.complaint("nimbus")).isEmpty();
    }

    @Test
    void shouldCallAWorkerReadyWhenItHasLoadedAndIsConnected() throws IOException {
        assertThat(logs.isReady(worker("new"))).isFalse();
        // The slot's worker before it was ready; its log goes on.
        Files.writeString(workerLog, ready("old") + loaded("old") + loaded("new"));
        assertThat(logs.isReady(worker("old"))).isTrue();
        assertThat(logs.isReady(worker("new"))).isFalse();
        Files.writeString(workerLog, ready("old") + loaded("old") + loaded("new") + ready("new"));
        assertThat(logs.isReady(worker("new"))).isTrue();
    }

    @Test
    void shouldFindWhyAWorkerEnded() throws IOException {
        Files.writeString(
                workerLog,
                "10:00:00.000 ERROR [main] o.a.s.u.Utils Halting process: Worker died\n"
                        + "java.lang.OutOfMemoryError: Java heap space\n\tat some.Where(Where.java:1)\n");
        assertThat(logs.complaint(worker("new"))).contains("java.lang.OutOfMemoryError: Java heap space");
    }

    @Test
    void shouldShowTheEndOfTheNewestLogsWithoutWhatIsSaidAllTheTime() throws IOException {
        for (int i = 0; i < 20; i++) {
            Path log = Files.writeString(home.resolve("logs/daemon-" + i + ".log"), "said by " + i + "\n");
            Files.setLastModifiedTime(log, FileTime.fromMillis(1_000_000L * (20 - i)));
        }
        Files.createFile(home.resolve("logs/silent.out"));
        Files.writeString(
                workerLog,
                "first\n" + "the same again\n".repeat(1_000)
                        + "10:00:00.000 INFO  [EventTimer] o.a.s.h.HealthChecker The supervisor healthchecks succeeded.\n"
                        + "last\n");
        assertThat(logs.tails())
                .endsWith("the same again\nlast")
                .contains("--- daemon-0.log\nsaid by 0\n", "--- workers-artifacts/topology-1/6700/worker.log\n...")
                .doesNotContain("daemon-19", "first", "HealthChecker", "silent")
                .hasSizeLessThan(3_000);
    }

    @Test
    void shouldSayWhatFailedBeforeTheLogsAndAfterThem() {
        StormClusterException failure = new StormClusterException("waited 1 s for nothing", "--- nimbus.log\nhello");
        assertThat(failure)
                .hasMessage("waited 1 s for nothing\n--- nimbus.log\nhello\n--- what failed: waited 1 s for nothing");
        assertThat(failure.summary()).isEqualTo("waited 1 s for nothing");
    }

    private static WorkerProcess worker(String id) {
        return new WorkerProcess("topology-1", 6700, id, "Main", ProcessHandle.current());
    }

    private static String loaded(String id) {
        return "10:00:00.000 INFO  [main] o.a.s.d.w.Worker Worker " + id
                + " for storm topology-1 on node:6700  has finished loading\n";
    }

    private static String ready(String id) {
        return "10:00:00.000 INFO  [timer] o.a.s.d.w.WorkerState All connections are ready for worker node:6700 with id "
                + id + "\n";
    }
}
