package io.updraft.messaging;

import static io.updraft.messaging.TestWorker.messages;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.transport.netty.KeyStoreFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.ConnectionWithStatus.Status;
import org.apache.storm.messaging.TaskMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Storm's security settings in Storm's workers: supported settings are applied; others are refused with one line. */
final class MessagingSecurityTest {

    @TempDir
    private Path folder;

    private final List<TestWorker> workers = new ArrayList<>();
    private AutoCloseable host;
    private int port;

    @BeforeEach
    void prepare() throws Exception {
        host = TestWorker.named(TestWorker.HOST);
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
    }

    @AfterEach
    void close() throws Exception {
        workers.forEach(TestWorker::close);
        host.close();
    }

    // Settings.

    @Test
    void shouldRefuseToDoWithoutASecretThatIsDemanded() {
        Map<String, Object> conf = withoutSecret();
        conf.put(Config.STORM_MESSAGING_NETTY_AUTHENTICATION, true);
        assertRefused(conf, "storm.messaging.netty.authentication is true", "storm.zookeeper.topology.auth.payload");
    }

    @Test
    void shouldTalkWhenASecretIsDemandedAndThere() {
        Map<String, Object> conf = TestWorker.conf();
        conf.put(Config.STORM_MESSAGING_NETTY_AUTHENTICATION, true);
        listening(conf);
        assertThat(worker(conf).connectAndWait(port).status()).isEqualTo(Status.Ready);
    }

    @Test
    void shouldNameABadValueTheKeyAndWhatIsAllowed() {
        Map<String, Object> conf = TestWorker.conf();
        conf.put(Config.STORM_NETTY_MESSAGE_BATCH_SIZE, 0);
        assertRefused(conf, "storm.messaging.netty.transfer.batch.size is '0'", "at least 1");
        Map<String, Object> waits = TestWorker.conf();
        waits.put(Config.STORM_MESSAGING_NETTY_MIN_SLEEP_MS, "soon");
        assertRefused(waits, "storm.messaging.netty.min_wait_ms is 'soon'", "at least 0");
    }

    @Test
    void shouldTakeTheNearestOfUseForWhatStormAllows() {
        Map<String, Object> conf = TestWorker.conf();
        conf.put(Config.STORM_NETTY_MESSAGE_BATCH_SIZE, 2 * 1024 * 1024);
        conf.put(Config.STORM_MESSAGING_NETTY_MIN_SLEEP_MS, 60);
        listening(conf);
        assertThat(worker(conf).connectAndWait(port).status()).isEqualTo(Status.Ready);
    }

    @Test
    void shouldRefuseOpenSsl() throws Exception {
        Map<String, Object> conf = tls("worker", "worker");
        conf.put(Config.STORM_MESSAGING_NETTY_TLS_REQUIRE_OPEN_SSL, true);
        assertRefused(conf, "storm.messaging.netty.tls.require.open.ssl is true");
    }

    @Test
    void shouldRefuseACertificateThatHasExpired() throws Exception {
        new KeyStoreFiles(folder).expired("old");
        Map<String, Object> conf = TestWorker.conf();
        conf.putAll(new KeyStoreFiles(folder).conf("old", "old"));
        assertRefused(conf, "storm.messaging.netty.tls.keystore.path", "expired on");
    }

    private void assertRefused(Map<String, Object> conf, String... said) {
        assertThatThrownBy(() -> listening(conf))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(said)
                .hasMessageNotContaining("\n");
    }

    // Peers.

    @Test
    void shouldTalkOverTlsAndNeedNoSecretThen() throws Exception {
        Map<String, Object> conf = tls("worker", "worker");
        conf.remove(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD);
        conf.remove(MessagingSettings.BIND);
        TestWorker receiver = listening(conf);
        worker(conf).connectAndWait(port).send(messages(new TaskMessage(3, new byte[1])));
        Await.until("a message", () -> receiver.received.size() == 1);
    }

    @Test
    void shouldNotLetInAPlainWorkerWhereThereIsTls() throws Exception {
        assertNotLetIn(TestWorker.conf(), tls("worker", "worker"));
    }

    @Test
    void shouldNotLetInAWorkerWhoseCertificateIsNotTrusted() throws Exception {
        new KeyStoreFiles(folder).person("stranger");
        Map<String, Object> ours = tls("worker", "worker");
        Map<String, Object> peer = TestWorker.conf();
        peer.putAll(new KeyStoreFiles(folder).conf("stranger", "worker"));
        assertNotLetIn(peer, ours);
    }

    /** Had the stranger been let in, it would have been before a worker that comes later and is. */
    private void assertNotLetIn(Map<String, Object> strangers, Map<String, Object> ours) {
        TestWorker receiver = listening(ours);
        ConnectionWithStatus refused = worker(strangers).connect(port);
        refused.send(messages(new TaskMessage(6, new byte[1])));
        worker(ours).connectAndWait(port).send(messages(new TaskMessage(1, new byte[1])));
        Await.until("a message of the other", () -> !receiver.received.isEmpty());
        assertThat(receiver.received).extracting(TaskMessage::task).containsExactly(1);
        assertThat(refused.status()).isEqualTo(Status.Connecting);
    }

    @Test
    void shouldNotLetInWhoReplaysAHandshakeThatHeHasHeard() throws Exception {
        // The one in between listens where the receiver is expected: workers are known by host and port.
        Map<String, Object> conf = TestWorker.conf();
        conf.put(MessagingSettings.BIND, "127.0.0.2");
        TestWorker receiver = listening(conf);
        byte[] heard;
        try (ServerSocket between = new ServerSocket(port, 5, InetAddress.getByName("127.0.0.1"))) {
            ConnectionWithStatus victim = worker(TestWorker.conf()).connect(port);
            try (Socket near = between.accept();
                    Socket far = new Socket("127.0.0.2", port)) {
                heard = handshake(near, far);
            }
            victim.close();
        }
        try (Socket replay = new Socket("127.0.0.2", port)) {
            replay.getOutputStream().write(heard);
            replay.setSoTimeout(50_000);
            assertThat(read(replay.getInputStream())).contains("the proof is wrong");
        }
        assertThat(receiver.received).isEmpty();
    }

    /** Passes on HELLO, HELLO and PROOF, each of which arrives at once because nothing else is said. */
    private static byte[] handshake(Socket near, Socket far) throws IOException {
        ByteArrayOutputStream heard = new ByteArrayOutputStream();
        heard.write(pass(near.getInputStream(), far.getOutputStream()));
        pass(far.getInputStream(), near.getOutputStream());
        heard.write(pass(near.getInputStream(), far.getOutputStream()));
        return heard.toByteArray();
    }

    private static byte[] pass(InputStream from, OutputStream into) throws IOException {
        byte[] bytes = new byte[4_096];
        int count = from.read(bytes);
        assertThat(count).isPositive();
        into.write(bytes, 0, count);
        return Arrays.copyOf(bytes, count);
    }

    private static String read(InputStream from) throws IOException {
        StringBuilder all = new StringBuilder();
        byte[] bytes = new byte[4_096];
        int count;
        while (all.indexOf("the proof is wrong") < 0 && (count = from.read(bytes)) >= 0) {
            all.append(new String(bytes, 0, count, StandardCharsets.ISO_8859_1));
        }
        return all.toString();
    }

    private Map<String, Object> tls(String self, String trusted) throws Exception {
        Map<String, Object> conf = TestWorker.conf();
        conf.putAll(new KeyStoreFiles(folder).person(self).conf(self, trusted));
        return conf;
    }

    private static Map<String, Object> withoutSecret() {
        Map<String, Object> conf = TestWorker.conf();
        conf.remove(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD);
        return conf;
    }

    private TestWorker worker(Map<String, Object> conf) {
        TestWorker worker = new TestWorker(conf);
        workers.add(worker);
        return worker;
    }

    private TestWorker listening(Map<String, Object> conf) {
        TestWorker worker = worker(conf);
        worker.bind(TestWorker.TOPOLOGY, port);
        return worker;
    }
}
