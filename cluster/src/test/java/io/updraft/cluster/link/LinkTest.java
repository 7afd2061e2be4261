package io.updraft.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportNames;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.netty.KeyStoreFiles;
import io.updraft.transport.security.Credentials;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links between workers over real transports: which transport they choose, and which peers they accept. */
final class LinkTest {

    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(50);
    private static final Map<String, Object> TWO =
            Map.of(TransportNames.LOCAL, "netty", TransportNames.REMOTE, CountedProvider.NAME);

    @TempDir
    private Path folder;

    private final List<LinkedWorker> workers = new ArrayList<>();

    @AfterEach
    void close() {
        workers.forEach(LinkedWorker::close);
    }

    private LinkedWorker worker(int number) {
        LinkedWorker worker = new LinkedWorker(number);
        workers.add(worker);
        return worker;
    }

    // Transports.

    @Test
    void shouldReachWorkersOfOtherHostsOverTheRemoteTransportAndThoseOfThisHostOverTheLocalOne() throws Exception {
        LinkedWorker zero = worker(0).with(TWO).open();
        LinkedWorker one = worker(1).with(TWO).open();
        LinkedWorker two = worker(2).with(TWO);
        two.host = "127.0.0.2";
        two.at = new Address("127.0.0.2", 0);
        two.open();
        PeerAddress[] all = {zero.address(), one.address(), two.address()};
        workers.forEach(worker -> worker.reach(all));
        Await.until("all are joined", () -> workers.stream().allMatch(worker -> worker.joined.size() == 2));

        Address far = two.address().endpoints().far();
        assertThat(CountedProvider.CONNECTED).containsOnly(far);
        assertThat(far.host()).isEqualTo("127.0.0.2");
        zero.send(1, "here");
        zero.send(2, "there");
        two.send(0, "back");
        Await.until(
                "all three words are there",
                () -> one.received.size() + two.received.size() + zero.received.size() == 3);
        assertThat(one.received).containsExactly("here");
        assertThat(two.received).containsExactly("there");
        assertThat(zero.received).containsExactly("back");
    }

    @Test
    void shouldListenOnceWhenOneTransportServesForAll() throws Exception {
        Endpoints unset = worker(0).open().address().endpoints();
        assertThat(unset.near()).isEqualTo(unset.far());
        Map<String, Object> same = Map.of(TransportNames.LOCAL, "netty", TransportNames.REMOTE, "netty");
        Endpoints equal = worker(1).with(same).open().address().endpoints();
        assertThat(equal.near()).isEqualTo(equal.far());
        Endpoints two = worker(2).with(TWO).open().address().endpoints();
        assertThat(two.near()).isNotEqualTo(two.far());
    }

    @Test
    void shouldCallItselfConnectedWhenAllAreThatCanBeReached() throws Exception {
        LinkedWorker zero = worker(0).with(TWO).open();
        assertThat(zero.isConnected())
                .as("before it was said who can be reached")
                .isFalse();
        LinkedWorker one = worker(1).with(TWO).open();
        LinkedWorker two = worker(2).with(TWO).open();
        zero.reach(one.address(), two.address());
        assertThat(two.isConnected()).isFalse();
        one.reach(zero.address());
        Await.until("one has joined zero", () -> one.joined.contains(0));
        assertThat(one.isConnected())
                .as("without worker 2, which cannot be reached")
                .isTrue();
    }

    @Test
    void shouldFollowAWorkerThatIsStartedAgainOnAnotherHost() throws Exception {
        LinkedWorker zero = worker(0).with(TWO).open();
        LinkedWorker one = worker(1).with(TWO).open();
        join(zero, one);
        one.close();
        LinkedWorker again = worker(1).with(TWO);
        again.host = "127.0.0.2";
        again.at = new Address("127.0.0.2", 0);
        again.incarnation = 2;
        again.open();
        join(zero, again);
        zero.send(1, "again");
        Await.until("the word comes again", () -> again.received.contains("again"));
    }

    @Test
    void shouldTakeAWorkerThatComesAnotherWayForANewStartAndRefuseAnOlderOne() throws Exception {
        LinkedWorker one = worker(1).with(TWO).open();
        LinkedWorker zero = worker(0).with(TWO).open();
        join(zero, one);
        LinkedWorker elsewhere = worker(0).with(TWO);
        elsewhere.host = "127.0.0.2";
        elsewhere.incarnation = 2;
        elsewhere.open();
        elsewhere.reach(elsewhere.address(), one.address());
        Await.until("both are joined", () -> elsewhere.joined.contains(1) && one.joined.contains(0));
        elsewhere.send(1, "new");
        Await.until("the new word is there", () -> one.received.contains("new"));
        zero.send(1, "old");
        Await.until("the old worker is gone", () -> !zero.joined.contains(1));
        elsewhere.send(1, "newer");
        Await.until("the newer word is there", () -> one.received.contains("newer"));
        assertThat(one.received).containsExactly("new", "newer");
    }

    @Test
    void shouldSendATupleThatIsLongerThanAFrameAndManyThatFillSome() throws Exception {
        Map<String, Object> small = Map.of(Config.STORM_NETTY_MESSAGE_BATCH_SIZE, 4_096);
        LinkedWorker zero = worker(0).with(small).open();
        LinkedWorker one = worker(1).with(small).open();
        join(zero, one);
        String large = "x".repeat(2_000_000);
        zero.send(1, large);
        for (int i = 0; i < 1_000; i++) {
            zero.send(1, "word " + i);
        }
        Await.until("all words are there", () -> one.received.size() == 1_001);
        assertThat(one.received.get(0)).isEqualTo(large);
        assertThat(one.received.get(1_000)).isEqualTo("word 999");
    }

    @Test
    void shouldLetSoManyFramesWaitForEachLoopThatThoseOfAllAreNotTooLong() throws Exception {
        Map<String, Object> loops = Map.of(EngineSettings.LOOPS, 2);
        LinkedWorker zero = worker(0).with(loops).open();
        LinkedWorker one = worker(1).with(loops).open();
        join(zero, one);
        for (int i = 0; i < 20; i++) {
            zero.report(1); // say nothing of how long tuples are
        }
        zero.send(1, "x".repeat(100_000));
        Await.until("the room is known", () -> !one.rooms.isEmpty());
        assertThat(one.rooms).containsExactly(2 * 1024 * 1024 / 100_100);
    }

    // Who is let in.

    @Test
    void shouldNotLetInAWorkerWithAnotherSecret() throws Exception {
        LinkedWorker peer = worker(0);
        peer.credentials = LinkedWorker.secret("another secret, as long");
        assertNotLetIn(peer, worker(1).open());
    }

    @Test
    void shouldNotLetInAWorkerWithoutASecret() throws Exception {
        LinkedWorker peer = worker(0);
        peer.credentials = Credentials.NONE;
        assertNotLetIn(peer, worker(1).open());
    }

    @Test
    void shouldNotLetInAWorkerOfAnotherTopology() throws Exception {
        LinkedWorker peer = worker(0);
        peer.topology = "others-2";
        assertNotLetIn(peer, worker(1).open());
    }

    /** Had the stranger been let in, it would have been before a worker that comes later and is. */
    private void assertNotLetIn(LinkedWorker peer, LinkedWorker one) throws Exception {
        peer.open();
        peer.reach(peer.address(), one.address());
        peer.send(1, "secret plans");
        LinkedWorker welcome = worker(0);
        welcome.incarnation = 2;
        welcome.with(one.conf).open();
        join(welcome, one);
        welcome.send(1, "hello");
        Await.until("a word is there", () -> !one.received.isEmpty());
        assertThat(one.received).containsExactly("hello");
        assertThat(peer.joined).isEmpty();
    }

    @Test
    void shouldNotLetInWhoReplaysAHandshakeThatHeHasHeard() throws Exception {
        LinkedWorker zero = worker(0).open();
        LinkedWorker one = worker(1).open();
        Address real = one.address().endpoints().near();
        try (RecordingProxy between = new RecordingProxy(real)) {
            Endpoints tapped = new Endpoints("127.0.0.1", between.address(), between.address());
            zero.reach(zero.address(), new PeerAddress(1, 1, tapped));
            Await.until("both are joined", () -> zero.joined.contains(1) && one.joined.contains(0));
            zero.send(1, "pay 100");
            Await.until("the first payment is there", () -> one.received.size() == 1);
            try (Socket replay = new Socket(real.host(), real.port())) {
                replay.getOutputStream().write(between.recorded());
                replay.setSoTimeout((int) TimeUnit.NANOSECONDS.toMillis(LIMIT_NANOS));
                assertThat(answersUntilItIsClosed(replay)).contains("the proof is wrong");
            }
            zero.send(1, "pay 200");
            Await.until("the second payment is there", () -> one.received.size() == 2);
            assertThat(one.received).containsExactly("pay 100", "pay 200");
            assertThat(one.joined).containsExactly(0);
        }
    }

    private static String answersUntilItIsClosed(Socket socket) throws IOException {
        StringBuilder all = new StringBuilder();
        byte[] bytes = new byte[4_096];
        int count;
        while (all.indexOf("the proof is wrong") < 0
                && (count = socket.getInputStream().read(bytes)) >= 0) {
            all.append(new String(bytes, 0, count, StandardCharsets.ISO_8859_1));
        }
        return all.toString();
    }

    @Test
    void shouldNotListenToOtherHostsWithoutASecret() {
        LinkedWorker open = worker(0);
        open.credentials = Credentials.NONE;
        open.at = new Address("0.0.0.0", 0);
        assertThatThrownBy(open::open)
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll("0.0.0.0", "without a secret");
    }

    // TLS.

    @Test
    void shouldTalkOverTlsWithStormsKeyStoresAndNeedNoSecretThen() throws Exception {
        Map<String, Object> tls = new KeyStoreFiles(folder).person("worker").conf("worker", "worker");
        LinkedWorker zero = worker(0).with(tls);
        LinkedWorker one = worker(1).with(tls);
        for (LinkedWorker worker : workers) {
            worker.credentials = Credentials.NONE;
            worker.at = new Address("0.0.0.0", 0);
            worker.open();
        }
        join(zero, one);
        zero.send(1, "a secret");
        Await.until("the secret is there", () -> one.received.contains("a secret"));
    }

    @Test
    void shouldNotLetInAPlainWorkerWhereThereIsTls() throws Exception {
        Map<String, Object> tls = new KeyStoreFiles(folder).person("worker").conf("worker", "worker");
        assertNotLetIn(worker(0), worker(1).with(tls).open());
    }

    @Test
    void shouldNotLetInAWorkerWhoseCertificateIsNotTrusted() throws Exception {
        KeyStoreFiles stores = new KeyStoreFiles(folder).person("worker").person("stranger");
        assertNotLetIn(
                worker(0).with(stores.conf("stranger", "worker")),
                worker(1).with(stores.conf("worker", "worker")).open());
    }

    @Test
    void shouldNotStartWithACertificateThatHasExpired() throws Exception {
        Map<String, Object> tls = new KeyStoreFiles(folder).expired("old").conf("old", "old");
        assertThatThrownBy(() -> worker(0).with(tls).open())
                .isInstanceOf(TransportException.class)
                .hasMessageContainingAll(Config.STORM_MESSAGING_NETTY_TLS_KEYSTORE_PATH, "expired on")
                .hasMessageNotContaining("\n");
    }

    @Test
    void shouldRefuseTlsOverATransportToOtherHostsThatCannotEncrypt() {
        Map<String, Object> tls = Map.of(
                TransportOptions.TLS, true, TransportNames.LOCAL, "netty", TransportNames.REMOTE, CountedProvider.NAME);
        assertThatThrownBy(() -> worker(0).with(tls).open())
                .isInstanceOf(TransportException.class)
                .hasMessage("updraft.transport.tls.enabled is true, but the transport 'counted' cannot encrypt: choose"
                        + " netty, or set the key to false");
    }

    private void join(LinkedWorker zero, LinkedWorker one) {
        zero.reach(zero.address(), one.address());
        one.reach(zero.address(), one.address());
        Await.until("both are joined", () -> zero.joined.contains(1) && one.joined.contains(0));
    }
}
