package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.updraft.base.testing.Await;
import io.updraft.storm.TridentZooKeeper.MemoryZooKeeper;
import io.updraft.storm.drpc.DrpcPorts;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.security.auth.digest.DigestSaslTransportPlugin;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Peers at the ports of Nimbus and DRPC that are silent or slow, lie, or belong to another user. */
class HostileStormPeersTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /** More than there were threads for before the selector. */
    private static final int MANY = 600;

    private final List<AutoCloseable> open = new ArrayList<>();
    private final Map<String, Object> conf = new HashMap<>();

    @TempDir
    private Path folder;

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private <T extends AutoCloseable> T added(T more) {
        open.add(more);
        return more;
    }

    private int nimbus() throws IOException {
        UpdraftCluster cluster =
                new UpdraftCluster.Builder().withDaemonConf(conf).build();
        NimbusPort port = added(NimbusPort.open(cluster, ANY));
        added(cluster);
        return port.address().getPort();
    }

    private int http() throws IOException {
        Map<String, Object> settings = new HashMap<>(Utils.readStormConfig());
        settings.putAll(conf);
        UpdraftDrpc drpc = added(new UpdraftDrpc(settings));
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        added(DrpcPorts.open(drpc, settings, ANY, ANY, new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
        return port;
    }

    private void connect(int port, int count, byte... first) throws IOException {
        for (int i = 0; i < count; i++) {
            Socket socket = added(new Socket(InetAddress.getLoopbackAddress(), port));
            socket.getOutputStream().write(first);
        }
    }

    private NimbusClient client(int port) {
        Map<String, Object> client = Utils.readStormConfig();
        client.put(Config.NIMBUS_SEEDS, List.of("localhost"));
        client.put(Config.NIMBUS_THRIFT_PORT, port);
        return added(NimbusClient.Builder.withConf(client).build());
    }

    private static long threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix))
                .count();
    }

    @Test
    void shouldAnswerNimbusClientsBesideSilentPeersWhichHaveNoThread() throws Exception {
        int port = nimbus();
        connect(port, MANY);

        assertThat(client(port).getClient().getTopologySummaries()).isEmpty();
        Await.until("the only threads are the port's and the client's", () -> threads("updraft-nimbus") <= 3);
    }

    @Test
    void shouldAnswerNimbusClientsBesidePeersThatHaveSentHalfAFrame() throws Exception {
        int port = nimbus();
        connect(port, MANY, (byte) 0, (byte) 0, (byte) 1);

        assertThat(client(port).getClient().getTopologySummaries()).isEmpty();
    }

    /** Answers and requests follow each other quickly, and the connection moves between the selector and the threads. */
    @Test
    void shouldAnswerAllCallsOfOneConnection() throws Exception {
        NimbusClient client = client(nimbus());

        for (int i = 0; i < 3_000; i++) {
            assertThat(client.getClient().getTopologySummaries())
                    .as("call %d", i)
                    .isEmpty();
        }
    }

    @Test
    void shouldCloseAConnectionWhoseFrameWithAPasswordIsTooLong() throws Exception {
        conf.put(Config.STORM_THRIFT_TRANSPORT_PLUGIN, DigestSaslTransportPlugin.class.getName());
        conf.put(
                "java.security.auth.login.config",
                Files.writeString(folder.resolve("jaas.conf"), """
                StormServer { org.apache.zookeeper.server.auth.DigestLoginModule required user_ann="secret"; };
                """).toString());
        try (Socket liar = new Socket(InetAddress.getLoopbackAddress(), nimbus())) {
            liar.setSoTimeout(50_000);
            DataOutputStream out = new DataOutputStream(liar.getOutputStream());
            out.writeByte(1);
            out.writeInt(Integer.MAX_VALUE);
            out.flush();

            // An error, and the end.
            byte[] answer = liar.getInputStream().readAllBytes();
            assertThat(new String(answer, StandardCharsets.ISO_8859_1)).contains("Invalid payload header length");
        }
    }

    @Test
    void shouldAnswerHttpCallersBesidePeersThatHaveSentHalfARequestWhichHaveNoThread() throws Exception {
        int port = http();
        connect(
                port,
                MANY,
                "POST /drpc/f HTTP/1.1\r\nContent-Length: 9\r\n\r\nhal".getBytes(StandardCharsets.US_ASCII));

        assertThat(get(port, "")).isEqualTo(404);
        assertThat(threads("updraft-drpc-http")).isEqualTo(1);
    }

    @Test
    void shouldSayWhatIsWrongWithHttpRequests() throws Exception {
        int port = http();

        assertThat(get(port, "%zz")).isEqualTo(400);
        assertThat(get(port, "?x")).isEqualTo(404);
        HttpRequest large = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/drpc/f"))
                .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[2 * 1024 * 1024]))
                .build();
        assertThat(HttpClient.newHttpClient()
                        .send(large, HttpResponse.BodyHandlers.discarding())
                        .statusCode())
                .isEqualTo(413);
    }

    @Test
    void shouldRefusePagesOfOtherServers() throws Exception {
        HttpRequest page = HttpRequest.newBuilder(URI.create("http://localhost:" + http() + "/drpc/f"))
                .header("Origin", "http://example.com")
                .build();

        assertThat(HttpClient.newHttpClient()
                        .send(page, HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(403);
    }

    @Test
    void shouldAnswerOnlyItsOwnUserAndRootByDefault() throws Exception {
        assumeOtherUsers();
        int nimbus = nimbus();
        int http = http();

        assertThat(asNobody(nimbus, "\\0\\0\\0\\033\\200\\1\\0\\1\\0\\0\\0\\016getClusterInfo\\0\\0\\0\\0\\0\\1\\0"))
                .contains("may not connect to port " + nimbus)
                .contains("updraft.nimbus.users names the users who may");
        assertThat(asNobody(http, "GET /drpc/f/x HTTP/1.0\\r\\n\\r\\n"))
                .contains(" 403 ")
                .contains("updraft.drpc.users names the users who may");
        assertThat(client(nimbus).getClient().getTopologySummaries()).isEmpty();
    }

    @Test
    void shouldAnswerUsersThatAreNamed() throws Exception {
        assumeOtherUsers();
        conf.put(DrpcPorts.USERS, List.of("nobody"));

        assertThat(asNobody(http(), "GET /drpc/ HTTP/1.0\\r\\n\\r\\n")).contains(" 404 ");
    }

    @Test
    void shouldRefuseToOpenForAUserThatDoesNotExist() {
        conf.put(NimbusPort.USERS, "no-such-user");

        assertThatThrownBy(this::nimbus)
                .isInstanceOf(IOException.class)
                .hasMessage("updraft.nimbus.users: there is no user 'no-such-user' on this host");
    }

    @Test
    void shouldKeepOthersFromTheZooKeeperOfTrident() throws Exception {
        assumeOtherUsers();
        try (MemoryZooKeeper zooKeeper = MemoryZooKeeper.start(folder.toFile());
                Socket own = new Socket(InetAddress.getLoopbackAddress(), zooKeeper.port())) {
            own.setSoTimeout(50_000);
            own.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));

            assertThat(new String(own.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .contains("Zookeeper version");
            assertThat(asNobody(zooKeeper.port(), "srvr")).doesNotContain("version");
        }
    }

    private static void assumeOtherUsers() {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can be another user");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "setpriv is missing");
    }

    /** What a process of another user, who sends this and no more, is answered. */
    private static String asNobody(int port, String escaped) throws Exception {
        Process other = new ProcessBuilder(
                        "/usr/bin/setpriv",
                        "--reuid=65534",
                        "--clear-groups",
                        "bash",
                        "-c",
                        "exec 3<>/dev/tcp/127.0.0.1/" + port + "; printf '" + escaped
                                + "' >&3; timeout 50 head -c 2000 <&3")
                .redirectErrorStream(true)
                .start();
        String answer = new String(other.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        assertThat(other.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return answer;
    }

    private static int get(int port, String path) throws Exception {
        // A path as it is, which URI would refuse.
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(50_000);
            socket.getOutputStream()
                    .write(("GET /drpc/" + path + " HTTP/1.0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return Integer.parseInt(answer.split(" ")[1]);
        }
    }
}
