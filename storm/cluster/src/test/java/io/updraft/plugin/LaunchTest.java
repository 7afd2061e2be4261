package io.updraft.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormWorkerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which worker a Supervisor launches when the configuration has a mistake. */
@Tag("long")
final class LaunchTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    @Test
    void shouldSayWhichLineASupervisorLacks() {
        try (StormCluster cluster = PluginClusters.withoutLine().start()) {
            cluster.submitInactive("words", Map.of(UpdraftKeys.ENABLED, true), words());
            cluster.await(
                    "a worker to say what is missing",
                    LIMIT,
                    () -> workersLogs(cluster)
                            .contains("must have supervisor.worker.version.main.map: {\"2.999\":"
                                    + " \"io.updraft.plugin.UpdraftWorker\"}"));
        }
    }

    @Test
    void shouldRefuseAConfigurationWithWhichNoWorkerCouldRun() {
        try (StormCluster cluster = PluginClusters.builder().start()) {
            assertThatThrownBy(() -> cluster.submitInactive(
                            "words", Map.of(UpdraftKeys.ENABLED, true, "updraft.loops", "many"), words()))
                    .hasMessageContaining("updraft.loops is 'many'");
            assertThatThrownBy(() -> cluster.submitInactive(
                            "words", Map.of(UpdraftKeys.ENABLED, true, "updraft.transport.remote", "pigeon"), words()))
                    .hasMessageContaining(
                            "updraft.transport.remote is 'pigeon': there is no such transport; the transports"
                                    + " are aeron, netty, ucx, zeromq");
        }
    }

    @Test
    void shouldLeaveATopologyOfANewerClientToStormsWorker() {
        try (StormCluster cluster = PluginClusters.builder().start()) {
            StormTopology newer = words();
            newer.set_storm_version("2.9.0");
            cluster.submitInactive("words", Map.of(), newer);
            cluster.await(
                    "a worker to start",
                    LIMIT,
                    () -> cluster.workers("words").stream().anyMatch(cluster::isReady));
            assertThat(cluster.workers("words"))
                    .extracting(StormWorkerProcess::mainClass)
                    .containsOnly(UpdraftWorker.class.getName());
            assertThat(workersLogs(cluster))
                    .contains("o.a.s.d.w.Worker Launching worker for")
                    .doesNotContain("Updraft's worker");
        }
    }

    private static StormTopology words() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("source", new TestWordSpout());
        builder.setBolt("count", new TestWordCounter()).shuffleGrouping("source");
        return builder.createTopology();
    }

    private static String workersLogs(StormCluster cluster) {
        try (Stream<Path> files = Files.walk(cluster.home().resolve("logs/workers-artifacts"))) {
            return files.filter(file -> file.endsWith("worker.log"))
                    .map(LaunchTest::read)
                    .collect(Collectors.joining());
        } catch (IOException | UncheckedIOException notYet) {
            return "";
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
