package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.storm.NimbusPort;
import io.updraft.storm.UpdraftCluster;
import io.updraft.storm.program.ProgramFiles;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.blobstore.NimbusBlobStore;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Topologies that Storm's client submits, as {@code storm jar --jars} does, to a port whose topologies run in worker processes
 * ({@code programs/Submitted.java}).
 */
@Tag("long")
class SubmittedToWorkersTest {
    private static final String LIBRARY = "dep-library.jar";

    @TempDir
    private static Path store;

    private static final Queue<ErrorReport> ERRORS = new ConcurrentLinkedQueue<>();

    private static RecordedLines lines;
    private static UpdraftCluster cluster;
    private static NimbusPort port;
    private static Map<String, Object> client;
    private static Path jar;
    private static Path library;

    @TempDir
    private Path directory;

    @BeforeAll
    static void open() throws Exception {
        CompiledProgram program = CompiledProgram.of(store.resolve("classes"), "Submitted.java", "Library.java");
        jar = program.jar("com.acme", store.resolve("program.jar"));
        library = program.jar("com.extra", store.resolve("library.jar"));
        lines = new RecordedLines();
        cluster = new UpdraftCluster.Builder()
                .withEngines((topology, conf, options) -> LocalWorkers.starter(
                                new WorkerSettings(ProgramFiles.ofCallingThread(), TestWorkers.jvm(), store, lines))
                        .start(topology, conf, options))
                .withErrorListener((name, error) -> ERRORS.add(error))
                .withDrainLimit(Duration.ZERO)
                .build();
        port = NimbusPort.open(
                cluster, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), store.resolve("state"));
        client = Utils.readStormConfig();
        client.put(Config.NIMBUS_SEEDS, List.of("localhost"));
        client.put(Config.NIMBUS_THRIFT_PORT, port.address().getPort());
    }

    @AfterAll
    static void close() {
        cluster.close();
        port.close();
    }

    @BeforeEach
    void forget() {
        ERRORS.clear();
    }

    /** Submits it with its jar, and the library beside it. */
    private void submit(String name, Map<String, Object> more, boolean hooked) throws Exception {
        StormTopology topology;
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {jar.toUri().toURL(), library.toUri().toURL()})) {
            topology = (StormTopology) loader.loadClass("com.acme.Submitted")
                    .getMethod("topology", String.class, boolean.class)
                    .invoke(null, directory.toString(), hooked);
        }
        topology.add_to_dependency_jars(LIBRARY);
        Map<String, Object> conf = new HashMap<>(more);
        conf.put(Config.TOPOLOGY_WORKERS, 1);
        conf.put("updraft.loops", 1);
        NimbusBlobStore blobs = new NimbusBlobStore();
        blobs.prepare(client);
        try (NimbusClient nimbus = NimbusClient.Builder.withConf(client).build()) {
            try (OutputStream out = blobs.createBlob(LIBRARY, new SettableBlobMeta(List.of()))) {
                Files.copy(library, out);
            }
            String location = StormSubmitter.submitJar(client, jar.toString());
            nimbus.getClient().submitTopology(name, location, JSONValue.toJSONString(conf), topology);
        } finally {
            blobs.deleteBlob(LIBRARY);
            blobs.shutdown();
        }
    }

    private static LocalWorkers workers(String name) throws Exception {
        return (LocalWorkers) cluster.engine(name);
    }

    private List<String> found() throws Exception {
        Path file = directory.resolve("found");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    @Test
    void shouldFindJarsThatWereSentBesideTheProgramsAgainAfterTheWorkerDied() throws Exception {
        submit("finds", Map.of(), false);
        Await.until("it is opened", () -> found().size() == 1);

        TestWorkers.signal("KILL", workers("finds").pids().get(0));
        Await.until("it is opened again", () -> found().size() == 2);

        assertThat(found()).containsOnly("a library");
        cluster.killTopology("finds");
        assertThat(store.resolve("state/blobs/given")).isEmptyDirectory();
        assertThat(ERRORS).isEmpty();
    }

    @Test
    void shouldNameAWorkerHookThatCannotStart() throws Exception {
        Files.createFile(directory.resolve("expired"));

        assertThatThrownBy(() -> submit("unlicensed", Map.of(), true))
                .isInstanceOfSatisfying(
                        InvalidTopologyException.class,
                        refusal -> assertThat(refusal.get_msg())
                                .matches("topology 'unlicensed': worker 0 .*could not start: worker hook"
                                        + " com\\.acme\\.Submitted\\$Licence cannot be started:"
                                        + " java\\.lang\\.AssertionError: no licence"));
        assertThat(cluster.topologyNames()).doesNotContain("unlicensed");
        assertThat(store.resolve("state/blobs/given")).isEmptyDirectory();
    }

    @Test
    void shouldStartAWorkerAgainUntilItsHookCanStartAndEndItAlthoughTheHookFailsThen() throws Exception {
        submit("licensed", Map.of(), true);
        Await.until("it is opened", () -> found().size() == 1);
        Files.createFile(directory.resolve("expired"));

        TestWorkers.signal("KILL", workers("licensed").pids().get(0));
        Await.until(
                "it cannot start",
                () -> lines.hasMessage(
                        "worker hook com.acme.Submitted$Licence cannot be started: java.lang.AssertionError:"
                                + " no licence; it restarts in "));
        Files.delete(directory.resolve("expired"));
        Await.until("it is opened again", () -> found().size() == 2);

        Files.createFile(directory.resolve("kept"));
        cluster.killTopology("licensed");
        assertThat(ERRORS).singleElement().satisfies(error -> {
            assertThat(error.during()).isEqualTo("the end of worker hooks");
            assertThat(error.error().getMessage())
                    .isEqualTo("worker hook com.acme.Submitted$Licence failed at shutdown:"
                            + " java.lang.IllegalStateException: it is still lent");
        });
    }

    @Test
    void shouldNameATaskHookThatCannotBePrepared() throws Exception {
        submit(
                "watched",
                Map.of(Config.TOPOLOGY_AUTO_TASK_HOOKS, List.of("com.acme.Submitted$Watching"), "broken", true),
                false);

        Await.until("it is reported", () -> !ERRORS.isEmpty());
        ErrorReport report = ERRORS.peek();
        assertThat(report.componentId()).isEqualTo("finder");
        assertThat(report.error().getMessage())
                .isEqualTo("task hook com.acme.Submitted$Watching cannot be prepared:"
                        + " java.lang.IllegalStateException: nothing to watch");
        assertThat(found()).isEmpty();
        cluster.killTopology("watched");
    }
}
