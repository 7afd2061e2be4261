package io.updraft.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.SpeedOfLightTopology;
import io.updraft.bench.workers.WorkersRuntime;
import io.updraft.bench.workers.WorkersTopology;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The bench's topologies on a real cluster. */
@Tag("long")
final class StormClusterWorkersTest {

    private static final String STOCK = "org.apache.storm.daemon.worker.Worker";
    private static final String UPDRAFTS = "io.updraft.plugin.UpdraftWorker";
    private static final Set<String> DAEMONS =
            Set.of("org.apache.storm.daemon.nimbus.Nimbus", "org.apache.storm.daemon.supervisor.Supervisor");
    private static final Path ARCHIVE = Path.of(System.getProperty("updraft.archive"));

    private static final Map<String, Object> CONF = Map.of(
            Config.TOPOLOGY_WORKERS, 2,
            Config.TOPOLOGY_ACKER_EXECUTORS, 2,
            Config.TOPOLOGY_MAX_SPOUT_PENDING, 1000,
            Config.WORKER_CHILDOPTS, "-Xmx256m -XX:+UseParallelGC -XX:TieredStopAtLevel=1");

    @Test
    void shouldStartExactlyTheWorkersAskedForAndEndThemSoThatTheNextTopologyMayHaveTheName() {
        try (StormClusterWorkers storm = new StormClusterWorkers()) {
            List<ProcessHandle> first = runOnce(storm, CONF, STOCK);
            List<ProcessHandle> second = runOnce(storm, CONF, STOCK);
            assertThat(second).as("workers of the second topology of the name").doesNotContainAnyElementsOf(first);
        }
    }

    @Test
    void shouldRunUpdraftsWorkersAndStormsOnTheSameCluster() {
        try (StormClusterWorkers storm = new StormClusterWorkers(ARCHIVE)) {
            storm.prepare(2);
            Set<ProcessHandle> daemons = daemons();
            runOnce(storm, enabled(true), UPDRAFTS);
            runOnce(storm, enabled(false), STOCK);
            assertThat(daemons()).as("daemons").hasSize(2).isEqualTo(daemons);
        }
    }

    @Test
    void shouldRefuseToMeasureStormsWorkersInPlaceOfUpdrafts() {
        try (StormClusterWorkers storm = new StormClusterWorkers()) {
            assertThatThrownBy(() -> storm.submit("bench", enabled(true), topology()))
                    .hasMessageContaining(STOCK + "; expected was Updraft's worker");
        }
    }

    private static Map<String, Object> enabled(boolean updraft) {
        Map<String, Object> conf = new HashMap<>(CONF);
        conf.put(WorkersRuntime.ENABLED, updraft);
        return conf;
    }

    private static Set<ProcessHandle> daemons() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> commandLine(process).stream().anyMatch(DAEMONS::contains))
                .collect(Collectors.toSet());
    }

    private static List<ProcessHandle> runOnce(StormClusterWorkers storm, Map<String, Object> conf, String mainClass) {
        List<ProcessHandle> workers;
        try (WorkersTopology running = storm.submit("bench", conf, topology())) {
            workers = running.workers();
            assertThat(workers).as("workers that run").hasSize(2).allSatisfy(worker -> isAWorker(worker, mainClass));
        }
        assertThat(workers).as("workers after the end of their topology").noneMatch(ProcessHandle::isAlive);
        return workers;
    }

    private static StormTopology topology() {
        return new SpeedOfLightTopology().build(new Shape("sol", 1, 1, 1, 10, true, 0), "nobody-listens");
    }

    private static void isAWorker(ProcessHandle process, String mainClass) {
        assertThat(commandLine(process))
                .contains("-Xmx256m", "-XX:+UseParallelGC", mainClass)
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
