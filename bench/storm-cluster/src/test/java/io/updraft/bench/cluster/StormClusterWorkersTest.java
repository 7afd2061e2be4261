package io.updraft.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.SpeedOfLight;
import io.updraft.bench.workers.RunningTopology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The bench's topologies on a real cluster. */
@Tag("long")
final class StormClusterWorkersTest {

    private static final Map<String, Object> CONF = Map.of(
            Config.TOPOLOGY_WORKERS, 2,
            Config.TOPOLOGY_ACKER_EXECUTORS, 2,
            Config.TOPOLOGY_MAX_SPOUT_PENDING, 1000,
            Config.WORKER_CHILDOPTS, "-Xmx256m -XX:+UseParallelGC -XX:TieredStopAtLevel=1");

    @Test
    void shouldStartExactlyTheWorkersAskedForAndEndThemSoThatTheNextTopologyMayHaveTheName() {
        try (StormClusterWorkers storm = new StormClusterWorkers()) {
            List<ProcessHandle> first = runOnce(storm);
            List<ProcessHandle> second = runOnce(storm);
            assertThat(second).as("workers of the second topology of the name").doesNotContainAnyElementsOf(first);
        }
    }

    private static List<ProcessHandle> runOnce(StormClusterWorkers storm) {
        List<ProcessHandle> workers;
        try (RunningTopology running = storm.submit("bench", CONF, topology())) {
            workers = running.workers();
            assertThat(workers).as("workers that run").hasSize(2).allSatisfy(StormClusterWorkersTest::isAWorker);
        }
        assertThat(workers).as("workers after the end of their topology").noneMatch(ProcessHandle::isAlive);
        return workers;
    }

    private static StormTopology topology() {
        return new SpeedOfLight().build(new Shape("sol", 1, 1, 1, 10, true, 0), "nobody-listens");
    }

    private static void isAWorker(ProcessHandle process) {
        assertThat(commandLine(process))
                .contains("-Xmx256m", "-XX:+UseParallelGC", "org.apache.storm.daemon.worker.Worker")
                .doesNotContain("org.apache.storm.LogWriter");
    }

    private static List<String> commandLine(ProcessHandle process) {
        try {
            byte[] line = Files.readAllBytes(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
            return Arrays.asList(new String(line, StandardCharsets.UTF_8).split("\0"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
