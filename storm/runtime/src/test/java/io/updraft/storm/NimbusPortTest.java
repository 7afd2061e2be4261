package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.blobstore.ClientBlobStore;
import org.apache.storm.blobstore.InputStreamWithMeta;
import org.apache.storm.blobstore.NimbusBlobStore;
import org.apache.storm.generated.AccessControl;
import org.apache.storm.generated.AlreadyAliveException;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Storm's own clients against the port. */
class NimbusPortTest {
    private final UpdraftCluster cluster = new UpdraftCluster();
    private NimbusPort port;
    private NimbusClient client;
    private Nimbus.Iface nimbus;

    @TempDir
    private Path folder;

    @BeforeEach
    void open() throws IOException {
        port = NimbusPort.open(cluster, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        client = NimbusClient.Builder.withConf(clientConf()).build();
        nimbus = client.getClient();
    }

    @AfterEach
    void close() {
        client.close();
        cluster.close();
        port.close();
    }

    private Map<String, Object> clientConf() {
        Map<String, Object> conf = Utils.readStormConfig();
        conf.put(Config.NIMBUS_SEEDS, List.of("localhost"));
        conf.put(Config.NIMBUS_THRIFT_PORT, port.address().getPort());
        return conf;
    }

    @Test
    void shouldRunATopologyFromTheJarThatItsSubmitterUploads() throws Exception {
        submit("sweet", "uploaded");

        awaitCount("uploaded", 100);
        assertThat(Seen.factsOf("uploaded")).contains("sweet", "own loader true", "prepared 4");
    }

    @Test
    void shouldKillATopologyAsClientsAskAndRemoveItsJar() throws Exception {
        submit("bitter", "killed");
        awaitCount("killed", 100);

        nimbus.killTopologyWithOpts("killed", RunningComponents.within(5));

        Await.until("the topology is gone", () -> nimbus.getTopologySummaries().isEmpty());
        assertThat(Seen.factsOf("killed")).contains("cleaned up");
        Await.until("its jar is removed", () -> uploadsOf(port).isEmpty());
    }

    @Test
    void shouldSteerATopology() throws Exception {
        submit("sour", "steered");
        awaitCount("steered", 100);

        nimbus.deactivate("steered");
        TopologySummary inactive = nimbus.getTopologySummaryByName("steered");
        assertThat(inactive.get_status()).isEqualTo("INACTIVE");
        cluster.engine("steered").awaitIdle(java.time.Duration.ofSeconds(50));
        long count = Seen.countOf("steered");

        nimbus.activate("steered");
        awaitCount("steered", count + 100);
        assertThat(nimbus.getTopologySummary(inactive.get_id()).get_status()).isEqualTo("ACTIVE");
    }

    @Test
    void shouldRebalanceATopologyWhileItRuns() throws Exception {
        submit("spicy", "rebalanced");
        awaitCount("rebalanced", 100);
        RebalanceOptions options = new RebalanceOptions();
        options.put_to_num_executors("taste", 4);

        nimbus.rebalance("rebalanced", options);

        assertThat(nimbus.getTopologyInfoByName("rebalanced").get_executors().stream()
                        .filter(executor -> executor.get_component_id().equals("taste"))
                        .map(executor -> executor.get_executor_info().get_task_end()
                                - executor.get_executor_info().get_task_start()))
                .containsExactly(0, 0, 0, 0);
        assertThat(nimbus.getTopologySummaryByName("rebalanced").get_num_executors())
                .isEqualTo(5);
        awaitCount("rebalanced", Seen.countOf("rebalanced") + 1000);
        assertThat(Seen.factsOf("rebalanced"))
                .contains("prepared 4", "own loader true")
                .doesNotContain("prepared 5", "own loader false", "cleaned up");
        options.put_to_num_executors("tatse", 1);
        assertThatThrownBy(() -> nimbus.rebalance("rebalanced", options))
                .isInstanceOf(InvalidTopologyException.class)
                .satisfies(refusal -> assertThat(((InvalidTopologyException) refusal).get_msg())
                        .contains("there is no component 'tatse'"));
    }

    @Test
    void shouldSubmitInactiveTopologies() throws Exception {
        Path jar = VersionedProgram.jar(folder, "salty");

        nimbus.submitTopologyWithOpts(
                "asleep",
                upload(jar),
                "{}",
                RunningComponents.numbers(),
                new SubmitOptions(TopologyInitialStatus.INACTIVE));

        assertThat(nimbus.getTopologySummaryByName("asleep").get_status()).isEqualTo("INACTIVE");
    }

    @Test
    void shouldRefuseASecondTopologyOfTheSameName() throws Exception {
        Path jar = VersionedProgram.jar(folder, "salty");
        VersionedProgram.submit(jar, "twice", port.address().getPort());

        assertThat(nimbus.isTopologyNameAllowed("twice")).isFalse();
        String location = upload(jar);
        assertThatThrownBy(() -> nimbus.submitTopology("twice", location, "{}", RunningComponents.numbers()))
                .isInstanceOf(AlreadyAliveException.class);
    }

    @Test
    void shouldRefuseATopologyWithoutItsJar() throws Exception {
        assertThatThrownBy(() -> nimbus.submitTopology("jarless", "/etc/passwd", "{}", RunningComponents.numbers()))
                .isInstanceOf(InvalidTopologyException.class)
                .satisfies(refusal -> assertThat(((InvalidTopologyException) refusal).get_msg())
                        .contains("was submitted without its jar", "/etc/passwd"));

        Path noJar = Files.writeString(folder.resolve("no.jar"), "just text");
        String location = upload(noJar);
        assertThatThrownBy(() -> nimbus.submitTopology("jarless", location, "{}", RunningComponents.numbers()))
                .isInstanceOf(InvalidTopologyException.class)
                .satisfies(refusal -> assertThat(((InvalidTopologyException) refusal).get_msg())
                        .contains("not a jar"));
        assertThat(uploadsOf(port)).isEmpty();
    }

    @Test
    void shouldTellWhatItDoesNotKnowAndWhatItDoesNotOffer() {
        assertThatThrownBy(() -> nimbus.killTopology("ghost")).isInstanceOf(NotAliveException.class);
        assertThatThrownBy(() -> nimbus.getSupervisorAssignments("node"))
                .isInstanceOf(TApplicationException.class)
                .hasMessage("an embedded cluster does not support Nimbus' call 'getSupervisorAssignments'");
    }

    @Test
    void shouldKeepBlobs() throws Exception {
        byte[] content = new byte[200_000];
        new Random(7).nextBytes(content);
        ClientBlobStore blobs = new NimbusBlobStore();
        blobs.prepare(clientConf());
        try (var out = blobs.createBlob("some.blob", new SettableBlobMeta(List.<AccessControl>of()))) {
            out.write(content);
        }

        try (InputStreamWithMeta in = blobs.getBlob("some.blob")) {
            assertThat(((InputStream) in).readAllBytes()).isEqualTo(content);
        }
        assertThat(blobs.listKeys()).toIterable().containsExactly("some.blob");
        assertThat(nimbus.isRemoteBlobExists("some.blob")).isTrue();
        blobs.deleteBlob("some.blob");
        assertThatThrownBy(() -> nimbus.getBlobMeta("some.blob")).isInstanceOf(KeyNotFoundException.class);
        blobs.shutdown();
    }

    @Test
    void shouldNotBeHurtByPeersThatSpeakSomethingElse() throws Exception {
        try (Socket http = connect();
                Socket huge = connect();
                Socket half = connect()) {
            http.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            huge.getOutputStream()
                    .write(ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array());
            half.getOutputStream().write(ByteBuffer.allocate(6).putInt(1000).array());

            assertThat(http.getInputStream().read()).isEqualTo(-1);
            assertThat(huge.getInputStream().read()).isEqualTo(-1);
            assertThat(nimbus.getLeader().get_port()).isEqualTo(port.address().getPort());
        }
        Random random = new Random(42);
        for (int i = 0; i < 50; i++) {
            try (Socket garbage = connect()) {
                byte[] body = new byte[1 + random.nextInt(300)];
                random.nextBytes(body);
                garbage.getOutputStream()
                        .write(ByteBuffer.allocate(4 + body.length)
                                .putInt(body.length)
                                .put(body)
                                .array());
            }
        }
        assertThat(nimbus.getTopologySummaries()).isEmpty();
    }

    @Test
    void shouldSayThatAPortIsInUse() {
        assertThatThrownBy(() -> NimbusPort.open(cluster, port.address()))
                .isInstanceOf(BindException.class)
                .hasMessageMatching(
                        "cannot listen on port \\d+ of 127\\.0\\.0\\.1: .*" + "; is another server running there\\?");
    }

    private void submit(String flavour, String topology) throws Exception {
        VersionedProgram.submit(
                VersionedProgram.jar(folder, flavour), topology, port.address().getPort());
    }

    private String upload(Path file) throws Exception {
        String location = nimbus.beginFileUpload();
        nimbus.uploadChunk(location, ByteBuffer.wrap(Files.readAllBytes(file)));
        nimbus.finishFileUpload(location);
        return location;
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(port.address().getAddress(), port.address().getPort());
        socket.setSoTimeout(50_000);
        return socket;
    }

    private static void awaitCount(String topology, long count) throws Exception {
        Await.until(count + " tuples were seen", () -> Seen.countOf(topology) >= count);
    }

    private static List<String> uploadsOf(NimbusPort port) throws IOException {
        try (var files = Files.list(port.directory())) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void shouldLeaveNothingWhenItCannotBeOpened() throws Exception {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), free);
        try (UpdraftCluster other = new UpdraftCluster.Builder()
                .withDaemonConf(Config.BLOBSTORE_DIR, "no\0name")
                .build()) {
            List<Path> before = directoriesIn(temporary);
            assertThatThrownBy(() -> NimbusPort.open(other, address)).isInstanceOf(InvalidPathException.class);

            assertThat(directoriesIn(temporary)).containsExactlyInAnyOrderElementsOf(before);
        }
        NimbusPort.open(cluster, address).close();
    }

    private static List<Path> directoriesIn(Path temporary) throws IOException {
        try (Stream<Path> all = Files.list(temporary)) {
            return all.filter(each -> each.getFileName().toString().startsWith("updraft-nimbus-"))
                    .toList();
        }
    }
}
