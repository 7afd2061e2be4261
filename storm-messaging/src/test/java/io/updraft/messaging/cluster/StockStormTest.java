package io.updraft.messaging.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.messaging.NettyContext;
import io.updraft.stormcluster.Jars;
import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.WorkerProcess;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stock Storm's workers, started by stock Supervisors, with our messaging in {@code extlib}. */
@Tag("slow")
final class StockStormTest {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    @TempDir
    private static Path directory;

    private static StormCluster cluster;
    private static Path jar;

    @BeforeAll
    static void start() throws IOException {
        jar = Jars.pack(Jars.of(EndlessTopology.class), directory.resolve("endless.jar"));
        // The secret by which workers know each other: with it they listen on all addresses, as on a cluster of many
        // hosts.
        StormCluster.Builder builder = StormCluster.builder()
                .supervisors(2)
                .slots(2)
                .config(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD, "workers:of-the-test-on-a-real-cluster");
        plugins().forEach(builder::plugin);
        cluster = builder.start();
    }

    /** The modules as they are on this test's class path, and the libraries as the build has laid them out. */
    private static List<Path> plugins() throws IOException {
        Path classes = Jars.of(NettyContext.class);
        try (Stream<Path> libraries = Files.list(classes.resolveSibling("libraries"))) {
            Stream<Path> ours = Stream.of(classes, Jars.of(Transport.class), Jars.of(provider("netty")));
            return Stream.concat(ours, libraries).toList();
        }
    }

    private static Class<?> provider(String transport) {
        return ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(transport))
                .findFirst()
                .orElseThrow()
                .getClass();
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void shouldHaveEveryMessageAckedThoughAWorkerIsKilled() throws IOException {
        Path files = Files.createDirectory(directory.resolve("killed"));
        cluster.submit(jar, EndlessTopology.class.getName(), "killed", files.toString(), NettyContext.class.getName());
        cluster.await("tuples at the bolt", LIMIT, () -> witnesses(files).size() == 1);
        cluster.await(
                "a report of the bolt's worker",
                LIMIT,
                () -> cluster.workerOf("killed", "sink").isPresent());
        WorkerProcess worker = cluster.workerOf("killed", "sink").orElseThrow();
        worker.kill();
        cluster.await(
                "tuples at the bolt's next start", LIMIT, () -> witnesses(files).size() == 2);
        Files.createFile(files.resolve("stop"));
        cluster.await("every message to be acked", LIMIT, () -> Files.exists(files.resolve("done")));
        assertThat(files.resolve("done")).content().contains("unacked 0");
        assertThat(witnesses(files)).allSatisfy(witness -> assertThat(witness).hasContent("updraft"));
        cluster.kill("killed");
    }

    @Test
    void shouldHoldBackASpoutRatherThanLoseTuplesOfASlowBolt() {
        Path all = directory.resolve("all");
        cluster.submit(jar, FloodTopology.class.getName(), "flood", all.toString(), NettyContext.class.getName());
        cluster.await("every tuple to arrive, in order", LIMIT, () -> Files.exists(all));
        assertThat(cluster.workerOf("flood", "slow")).isNotEqualTo(cluster.workerOf("flood", "flood"));
        cluster.kill("flood");
    }

    private static List<Path> witnesses(Path files) {
        try (Stream<Path> all = Files.list(files)) {
            return all.filter(file -> file.getFileName().toString().startsWith("bolt-"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
