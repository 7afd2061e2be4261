package io.updraft.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.json.JsonObject;
import io.updraft.observe.inspection.InspectionServer;
import io.updraft.observe.inspection.ProcessRequests;
import io.updraft.observe.inspection.RunDirectory;
import io.updraft.observe.process.WorkerStatus;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RunProcessesTest {
    private static final int STOPPED = 4;
    private static final long WELL = 1_000_000_000L;

    private final List<AutoCloseable> open = new ArrayList<>();
    private Path sockets;

    @BeforeEach
    void makeDirectory() throws IOException {
        // The path of a socket must be short.
        sockets = Files.createTempDirectory("up");
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        try (var files = Files.list(sockets)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(sockets);
    }

    /** The kernel accepts connections for a process that is stopped. */
    private void openStopped(long pid) throws IOException {
        ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        open.add(socket);
        socket.bind(UnixDomainSocketAddress.of(RunDirectory.socketIn(sockets, pid)));
    }

    private static WorkerStatus worker(long pid) {
        return new WorkerStatus((int) (pid - WELL), pid, WorkerStatus.State.RUNNING, 0, 0, null, 0, null, null);
    }

    @Test
    void shouldDescribeAllProcessesSoonWhenSeveralAreStopped() throws Exception {
        open.add(InspectionServer.open(
                RunDirectory.socketIn(sockets, WELL),
                Map.of(ProcessRequests.PROCESS, request -> JsonObject.of("threads", 7))));
        for (int i = 1; i <= STOPPED; i++) {
            openStopped(WELL + i);
        }
        List<WorkerStatus> workers = LongStream.rangeClosed(WELL, WELL + STOPPED)
                .mapToObj(RunProcessesTest::worker)
                .toList();
        RunProcesses processes = new RunProcesses(new Console.Run(
                "run",
                "test",
                Map.of(ProcessRequests.PROCESS, request -> JsonObject.of("role", "run")),
                sockets,
                () -> workers,
                null,
                null,
                null));
        long begin = System.nanoTime();
        List<?> described = (List<?>) processes.describe().get("processes");
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin)).isLessThan(2 * 3);
        assertThat(described).hasSize(STOPPED + 2);
        assertThat(((Map<?, ?>) described.get(1)).get("threads")).hasToString("7");
        for (Object each : described.subList(2, described.size())) {
            assertThat(((Map<?, ?>) each).get("error")).asString().contains("does not answer");
        }
    }
}
