package io.updraft.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.stormcluster.Jars;
import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormWorkerProcess;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.daemon.drpc.DRPC;
import org.apache.storm.daemon.drpc.DRPCThrift;
import org.apache.storm.generated.DistributedRPC;
import org.apache.storm.generated.DistributedRPCInvocations;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.security.auth.ThriftServer;
import org.apache.storm.utils.DRPCClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Features that Storm builds on its API, in our workers: other languages, windows, Trident with the cluster's ZooKeeper,
 * Storm's DRPC server.
 */
@Tag("long")
final class StormFeaturesTest {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    @Test
    void shouldRunOtherLanguagesAndWindowsAndEndTheirProcesses() throws IOException {
        try (StormCluster cluster = PluginClusters.builder().start()) {
            submit(cluster, "shell");
            cluster.await(
                    "windows",
                    LIMIT,
                    () -> WorkerRecords.read(directory, "window").size() >= 3);
            assertThat(WorkerRecords.read(directory, "window"))
                    .containsOnly(StormFeatureTopologies.WINDOW + " [word!]");

            StormWorkerProcess worker =
                    cluster.workerOf("shell", "exclaim").orElseThrow(() -> new AssertionError("no worker of exclaim"));
            Set<ProcessHandle> subprocesses = worker.process().children().collect(Collectors.toSet());
            assertThat(subprocesses).isNotEmpty();
            worker.kill();
            cluster.await(
                    "the subprocesses of a worker that was killed to end",
                    LIMIT,
                    () -> subprocesses.stream().noneMatch(ProcessHandle::isAlive));
            int windows = WorkerRecords.read(directory, "window").size();
            cluster.await(
                    "more windows",
                    LIMIT,
                    () -> WorkerRecords.read(directory, "window").size() > windows + 3);
            cluster.kill("shell");
        }
    }

    @Test
    void shouldRunTridentAndAnswerStormsDrpcServer() throws Exception {
        int port = freePort();
        int invocations = freePort();
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put(Config.DRPC_SERVERS, List.of("localhost"));
        conf.put(Config.DRPC_PORT, port);
        conf.put(Config.DRPC_INVOCATIONS_PORT, invocations);
        DRPC drpc = new DRPC(new StormMetricsRegistry(), conf);
        DRPCThrift service = new DRPCThrift(drpc);
        ThriftServer requests =
                new ThriftServer(conf, new DistributedRPC.Processor<>(service), ThriftConnectionType.DRPC);
        ThriftServer fetches = new ThriftServer(
                conf, new DistributedRPCInvocations.Processor<>(service), ThriftConnectionType.DRPC_INVOCATIONS);
        List.of(requests, fetches).forEach(server -> new Thread(server::serve, "drpc").start());
        try (StormCluster cluster = PluginClusters.builder()
                        .config(Config.DRPC_SERVERS, List.of("localhost"))
                        .config(Config.DRPC_PORT, port)
                        .config(Config.DRPC_INVOCATIONS_PORT, invocations)
                        .start();
                DRPCClient client = new DRPCClient(conf, "localhost", port, 120_000)) {
            submit(cluster, "trident");
            cluster.await(
                    "all words to be counted",
                    LIMIT,
                    () -> ask(client, "cow").equals("[[\"cow\",2]]")
                            && ask(client, "owl").equals("[[\"owl\",1]]"));
            assertThat(cluster.workers("trident")).hasSize(2).noneMatch(StormWorkerProcess::isStock);
        } finally {
            requests.stop();
            fetches.stop();
            drpc.close();
        }
    }

    private static String ask(DRPCClient client, String word) {
        try {
            return client.execute(StormFeatureTopologies.FUNCTION, word);
        } catch (Exception e) {
            return e.toString();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private void submit(StormCluster cluster, String name) {
        cluster.submit(
                Jars.pack(Jars.of(StormFeaturesTest.class), directory.resolve("hosted.jar")),
                StormFeatureTopologies.class.getName(),
                Map.of(UpdraftKeys.ENABLED, true),
                name,
                directory.toString());
    }

    @Test
    void shouldSpeakTlsByStormsKeys() throws Exception {
        Path keys = directory.resolve("keys.p12");
        Path trust = directory.resolve("trust.p12");
        Path certificate = directory.resolve("certificate.pem");
        keystore("-genkeypair", "-keyalg", "EC", "-alias", "worker", "-dname", "CN=worker", "-keystore", keys);
        keystore("-exportcert", "-rfc", "-alias", "worker", "-file", certificate, "-keystore", keys);
        keystore("-importcert", "-noprompt", "-alias", "worker", "-file", certificate, "-keystore", trust);
        Path notes = Files.createDirectory(directory.resolve("notes"));
        ProcessedNumbers ledger = new ProcessedNumbers(notes);
        try (StormCluster cluster = PluginClusters.builder()
                .config("storm.messaging.netty.tls.enable", true)
                .config("storm.messaging.netty.tls.keystore.path", keys.toString())
                .config("storm.messaging.netty.tls.keystore.password", "changeit")
                .config("storm.messaging.netty.tls.truststore.path", trust.toString())
                .config("storm.messaging.netty.tls.truststore.password", "changeit")
                .start()) {
            cluster.submit(
                    Jars.pack(Jars.of(StormFeaturesTest.class), directory.resolve("ledger.jar")),
                    NumberRecordingTopology.class.getName(),
                    Map.of(UpdraftKeys.ENABLED, true),
                    "ledger",
                    notes.toString(),
                    "2");
            cluster.await("messages to be acked", LIMIT, () -> {
                ledger.read();
                return ledger.isComplete(500);
            });
            for (StormWorkerProcess worker : cluster.workers("ledger")) {
                assertThat(certificateAt(worker.port())).contains("CN=worker");
            }
        }
    }

    private static void keystore(Object... arguments) throws IOException, InterruptedException {
        List<Object> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("-storepass", "changeit", "-storetype", "PKCS12"));
        Process process = keytool(all);
        String said = said(process);
        assertThat(process.waitFor()).as(said).isZero();
    }

    /** What keytool says of whoever listens there with TLS. */
    private static String certificateAt(int port) throws IOException {
        return said(keytool(List.of("-printcert", "-sslserver", "localhost:" + port)));
    }

    private static Process keytool(List<?> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        arguments.forEach(argument -> command.add(argument.toString()));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String said(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes());
    }
}
