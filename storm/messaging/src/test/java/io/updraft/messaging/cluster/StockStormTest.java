package io.updraft.messaging.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.conf.ConfReader;
import io.updraft.messaging.AeronContext;
import io.updraft.messaging.NettyContext;
import io.updraft.messaging.TransportContext;
import io.updraft.messaging.UcxContext;
import io.updraft.messaging.ZeroMqContext;
import io.updraft.stormcluster.Jars;
import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormClusterBuilder;
import io.updraft.stormcluster.StormWorkerProcess;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.TransportProvider;
import io.updraft.transport.Transports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stock Storm's workers, started by stock Supervisors, with our messaging in {@code extlib}: one test for each transport. */
@Tag("long")
final class StockStormTest {

    private static final Duration LIMIT = Duration.ofMinutes(3);

    /** In {@code extlib}, each in a directory of its own, laid out by the build; the other transport is there by itself. */
    private static final List<String> EXTRA = List.of("zeromq", "aeron", "ucx");

    @TempDir
    private static Path directory;

    @AutoClose
    private static StormCluster cluster;

    private static Path jar;

    @BeforeAll
    static void start() throws IOException {
        jar = Jars.pack(Jars.of(KilledTopology.class), directory.resolve("killed.jar"));
        // The secret by which workers know each other: with it they listen on all addresses, as on a cluster of many
        // hosts.
        StormClusterBuilder builder = StormCluster.builder()
                .supervisors(2)
                .slots(2)
                .config(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD, "workers:of-the-test-on-a-real-cluster");
        plugins().forEach(builder::plugin);
        cluster = builder.start();
    }

    /** The modules as they are on this test's class path, and the libraries of others as the build lays them out. */
    private static List<Path> plugins() throws IOException {
        Path classes = Jars.of(NettyContext.class);
        Path extlib = classes.resolveSibling("extlib");
        List<Path> plugins = new ArrayList<>(
                List.of(classes, Jars.of(Transport.class), Jars.of(ConfReader.class), Jars.of(provider("netty"))));
        plugins.addAll(librariesOfOthers(extlib));
        for (String transport : EXTRA) {
            plugins.add(Jars.of(provider(transport)));
            plugins.addAll(librariesOfOthers(extlib.resolve(transport)));
        }
        return plugins;
    }

    private static List<Path> librariesOfOthers(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(".jar"))
                    .filter(file -> !file.getFileName().toString().startsWith("updraft-"))
                    .toList();
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

    @Test
    void shouldLiveThroughFloodAndDeathOverNetty() throws IOException {
        shouldLiveThroughFloodAndDeath("netty", NettyContext.class);
    }

    @Test
    void shouldLiveThroughFloodAndDeathOverZeroMq() throws IOException {
        shouldLiveThroughFloodAndDeath("zeromq", ZeroMqContext.class);
    }

    @Test
    void shouldLiveThroughFloodAndDeathOverAeron() throws IOException {
        shouldLiveThroughFloodAndDeath(
                "aeron",
                AeronContext.class,
                Config.TOPOLOGY_WORKER_CHILDOPTS + "=--add-opens java.base/jdk.internal.misc=ALL-UNNAMED");
    }

    @Test
    void shouldLiveThroughFloodAndDeathOverUcx() throws IOException {
        skipWithoutUcx();
        shouldLiveThroughFloodAndDeath("ucx", UcxContext.class, "UCX_MEM_EVENTS=n");
    }

    private static void skipWithoutUcx() {
        try {
            Transports.create("ucx", TransportOptions.of(Map.of())).close();
        } catch (TransportException missing) {
            Assumptions.abort(missing.getMessage());
        }
    }

    /**
     * First a spout floods a slow bolt of another worker, and must be held back. Then a worker is killed while tuples are on
     * their way to it, and each must be acked in the end.
     */
    private static void shouldLiveThroughFloodAndDeath(
            String transport, Class<? extends TransportContext> context, String... conf) throws IOException {
        Path files = Files.createDirectory(directory.resolve(transport));
        submit(transport, files, context, conf);
        try {
            shouldLiveThroughFloodAndDeath(transport, files);
        } finally {
            cluster.kill(transport);
        }
    }

    private static void shouldLiveThroughFloodAndDeath(String transport, Path files) throws IOException {
        await(transport, "tuples at the bolt", () -> !witnesses(files).isEmpty());
        await(transport, "news of the slow bolt's load", () -> Files.exists(files.resolve("load")));
        await(transport, "the whole flood to arrive, in order", () -> Files.exists(files.resolve("all")));
        killTheWorkerOfTheSink(transport, files);
        Files.createFile(files.resolve("stop"));
        await(transport, "every message to be acked", () -> Files.exists(files.resolve("done")));
        assertThat(files.resolve("done")).content().contains("unacked 0");
        assertThat(witnesses(files)).allSatisfy(witness -> assertThat(witness).hasContent("updraft"));
        assertThat(logs(transport))
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(log -> assertThat(log).content().contains("worker messages go over " + transport + ", "));
    }

    private static void submit(String name, Path files, Class<? extends TransportContext> context, String... conf) {
        List<String> arguments = new ArrayList<>(List.of(name, files.toString(), context.getName()));
        arguments.addAll(List.of(conf));
        cluster.submit(jar, KilledTopology.class.getName(), arguments.toArray(String[]::new));
    }

    private static void killTheWorkerOfTheSink(String topology, Path files) {
        StormWorkerProcess worker = workerOf(topology, "sink");
        assertThat(workerOf(topology, "numbers")).isNotEqualTo(worker);
        assertThat(workerOf(topology, "slow")).isNotEqualTo(workerOf(topology, "flood"));
        worker.kill();
        await(
                topology,
                "tuples at the bolt's next start",
                () -> witnesses(files).size() >= 2);
    }

    private static StormWorkerProcess workerOf(String topology, String component) {
        List<StormWorkerProcess> found = new ArrayList<>();
        await(topology, "a report of the worker of " + component, () -> {
            cluster.workerOf(topology, component).ifPresent(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }

    private static void await(String topology, String what, BooleanSupplier condition) {
        cluster.await(what + " (topology " + topology + ")", LIMIT, condition);
    }

    /** The logs of a topology's workers, one for each slot that it has had. */
    private static List<Path> logs(String topology) throws IOException {
        try (Stream<Path> all = Files.walk(cluster.home().resolve("logs/workers-artifacts"))) {
            return all.filter(file ->
                            file.endsWith("worker.log") && file.toString().contains("/" + topology + "-"))
                    .toList();
        }
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
