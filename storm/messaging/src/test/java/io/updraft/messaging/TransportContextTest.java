package io.updraft.messaging;

import static io.updraft.messaging.TestWorker.conf;
import static io.updraft.messaging.TestWorker.messages;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.transport.TransportOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.Config;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.ConnectionWithStatus.Status;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.metric.api.IStatefulObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two workers' messaging in one JVM, over Netty, as Storm uses it. */
final class TransportContextTest {

    @AutoClose
    private static AutoCloseable hostName;

    private final List<TestWorker> workers = new ArrayList<>();
    private int port;

    @BeforeAll
    static void nameThisHost() {
        hostName = TestWorker.named(TestWorker.HOST);
    }

    @BeforeEach
    void findAPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }
    }

    @AfterEach
    void closeWorkers() {
        workers.forEach(TestWorker::close);
    }

    @Test
    void shouldDeliverMessagesOfAllSizesInOrder() {
        TestWorker receiver = listening(conf());
        ConnectionWithStatus connection = worker(conf()).connectAndWait(port);
        Random random = new Random(42);
        List<TaskMessage> sent = new ArrayList<>();
        for (int size : new int[] {0, 1, 7, 255, 256, 1_000, 65_535, 262_135, 262_136, 300_000, 9_000_000, 10, 3}) {
            byte[] bytes = new byte[size];
            random.nextBytes(bytes);
            sent.add(new TaskMessage(sent.size(), bytes));
        }
        connection.send(sent.iterator());
        assertArrive(receiver, sent);
    }

    @Test
    void shouldDeliverManyBatchesInOrder() {
        TestWorker receiver = listening(conf());
        ConnectionWithStatus connection = worker(conf()).connectAndWait(port);
        List<TaskMessage> sent = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            TaskMessage message =
                    new TaskMessage(i % TestWorker.TASKS, Integer.toString(i).getBytes());
            sent.add(message);
            connection.send(messages(message));
        }
        assertArrive(receiver, sent);
    }

    @Test
    void shouldTellLoadsToWhoeverIsConnected() {
        TestWorker receiver = listening(conf());
        ConnectionWithStatus connection = worker(conf()).connectAndWait(port);
        assertThat(connection.getLoad(List.of(1, 2))).isEmpty();
        receiver.inbound.sendLoadMetrics(Map.of(1, 0.25, 2, 0.5));
        Await.until("loads", () -> connection.getLoad(List.of(1, 2, 3)).size() == 2);
        assertThat(connection.getLoad(List.of(1)).get(1).getBoltLoad()).isEqualTo(0.25);
    }

    @Test
    void shouldTellBackPressureOnConnectingAndWhenItChanges() {
        TestWorker receiver = listening(conf());
        receiver.tasksUnderPressure = List.of(3);
        TestWorker sender = worker(conf());
        sender.connectAndWait(port);
        Await.until("task 3 to be under pressure", sender.flags[3]::get);
        // Task 99 is none of this topology: it must not harm the others.
        receiver.tellPressure(List.of(99, 4));
        Await.until("task 4 to be under pressure", sender.flags[4]::get);
        Await.until("task 3 to be free", () -> !sender.flags[3].get());
    }

    @Test
    void shouldTellTheBackPressureOfNowThoughAThreadOfStormHandsOverWhatItSawBefore() {
        TestWorker receiver = listening(conf());
        TestWorker sender = worker(conf());
        ConnectionWithStatus connection = sender.connectAndWait(port);
        BackPressureStatus overtaken = new BackPressureStatus("worker", List.of(3), List.of(4));
        receiver.tellPressure(List.of(4));
        Await.until("task 4 to be under pressure", sender.flags[4]::get);
        receiver.inbound.sendBackPressureStatus(overtaken);
        // Told after it.
        receiver.inbound.sendLoadMetrics(Map.of(1, 0.5));
        Await.until("loads", () -> !connection.getLoad(List.of(1)).isEmpty());
        assertThat(sender.flags[3]).isFalse();
        assertThat(sender.flags[4]).isTrue();
    }

    @Test
    void shouldReconnectAndDeliverWhatWasQueuedMeanwhile() {
        TestWorker first = listening(conf());
        ConnectionWithStatus connection = worker(conf()).connectAndWait(port);
        first.close();
        Await.until("the loss", () -> connection.status() == Status.Connecting);
        List<TaskMessage> sent = List.of(new TaskMessage(1, new byte[] {1}), new TaskMessage(2, new byte[] {2}));
        connection.send(sent.iterator());
        TestWorker second = listening(conf());
        assertArrive(second, sent);
        assertThat(connection.status()).isEqualTo(Status.Ready);
    }

    @Test
    void shouldNeitherBlockNorQueueWithoutEndWhileNotConnected() {
        Map<String, Object> conf = conf();
        conf.put(MessagingSettings.QUEUE, 4);
        ConnectionWithStatus connection = worker(conf).connect(port);
        List<TaskMessage> sent = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            sent.add(new TaskMessage(1, new byte[] {(byte) i}));
        }
        connection.send(sent.iterator());
        assertThat(connection.status()).isEqualTo(Status.Connecting);
        TestWorker receiver = listening(conf());
        // A frame may have taken some out of the queue before it was full: it is the first ones that are kept, in
        // order.
        Await.until("the first ones", () -> receiver.received.size() >= 4);
        connection.send(messages(new TaskMessage(9, new byte[] {0})));
        Await.until(
                "the last one",
                () -> receiver.received.get(receiver.received.size() - 1).task() == 9);
        assertThat(receiver.received).hasSizeLessThan(500);
    }

    @Test
    void shouldWaitForRoomWhileConnected() {
        Map<String, Object> conf = conf();
        conf.put(TransportOptions.BUFFER_SIZE, 4_096);
        TestWorker receiver = listening(conf());
        ConnectionWithStatus connection = worker(conf).connectAndWait(port);
        List<TaskMessage> sent = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            sent.add(new TaskMessage(i, new byte[1_000]));
        }
        connection.send(sent.iterator());
        assertArrive(receiver, sent);
    }

    @Test
    void shouldSendWhatIsQueuedBeforeItCloses() {
        TestWorker receiver = listening(conf());
        ConnectionWithStatus connection = worker(conf()).connectAndWait(port);
        List<TaskMessage> sent = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            sent.add(new TaskMessage(1, new byte[100]));
        }
        connection.send(sent.iterator());
        connection.close();
        assertThat(connection.status()).isEqualTo(Status.Closed);
        assertArrive(receiver, sent);
        connection.send(messages(new TaskMessage(7, new byte[1])));
        assertThat(receiver.received).hasSize(sent.size());
    }

    @Test
    void shouldConnectAgainToAWorkerFromWhichItDisconnected() {
        TestWorker receiver = listening(conf());
        TestWorker sender = worker(conf());
        sender.connectAndWait(port).close();
        ConnectionWithStatus again = sender.connectAndWait(port);
        again.send(messages(new TaskMessage(1, new byte[1])));
        Await.until("a message", () -> receiver.received.size() == 1);
    }

    @Test
    void shouldGoOnAfterAMessageThatStormCannotTake() {
        TestWorker receiver = worker(conf());
        AtomicBoolean refused = new AtomicBoolean();
        receiver.inbound = receiver.context.bind(
                TestWorker.TOPOLOGY,
                port,
                batch -> {
                    if (refused.compareAndSet(false, true)) {
                        throw new IllegalStateException("cannot be read, says the test");
                    }
                    receiver.received.addAll(batch);
                },
                null);
        ConnectionWithStatus connection = worker(conf()).connectAndWait(port);
        connection.send(messages(new TaskMessage(1, new byte[1])));
        Await.until("the first to be refused", refused::get);
        connection.send(messages(new TaskMessage(2, new byte[1])));
        Await.until("the second", () -> receiver.received.size() == 1);
        assertThat(((IStatefulObject) receiver.inbound).getState())
                .isInstanceOfSatisfying(
                        Map.class,
                        state -> assertThat(state.get("undeliverable")).isEqualTo(1));
    }

    @Test
    void shouldLetInNobodyWithAnotherSecret() {
        Map<String, Object> other = conf();
        other.put(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD, "-1111111111111111:2222222222222222");
        assertThatNobodyIsLetIn(worker(other), TestWorker.TOPOLOGY);
    }

    @Test
    void shouldLetInNobodyOfAnotherTopology() {
        assertThatNobodyIsLetIn(worker(conf()), "others-2-1700000000");
    }

    private void assertThatNobodyIsLetIn(TestWorker peer, String topology) {
        TestWorker receiver = listening(conf());
        ConnectionWithStatus refused =
                (ConnectionWithStatus) peer.context.connect(topology, TestWorker.HOST, port, peer.flags);
        refused.send(messages(new TaskMessage(6, new byte[1])));
        // Had the stranger been let in, it would have been before a worker that comes later and is.
        ConnectionWithStatus welcome = worker(conf()).connectAndWait(port);
        welcome.send(messages(new TaskMessage(1, new byte[1])));
        Await.until("a message of the other", () -> !receiver.received.isEmpty());
        assertThat(receiver.received).extracting(TaskMessage::task).containsExactly(1);
        assertThat(refused.status()).isEqualTo(Status.Connecting);
    }

    @Test
    void shouldNotListenToOtherHostsWithoutASecret() {
        Map<String, Object> conf = conf();
        conf.remove(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD);
        conf.put(MessagingSettings.BIND, "0.0.0.0");
        assertThatThrownBy(() -> listening(conf))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("secret")
                .hasMessageContaining(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD);
        conf.put(MessagingSettings.ALLOW_UNAUTHENTICATED, true);
        assertThat(listening(conf).inbound.getPort()).isEqualTo(port);
    }

    @Test
    void shouldNeedNoSecretOnAClusterThatIsOneHost() {
        Map<String, Object> conf = conf();
        conf.remove(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD);
        conf.remove(MessagingSettings.BIND);
        listening(conf);
        assertThat(worker(conf).connectAndWait(port).status()).isEqualTo(Status.Ready);
    }

    @Test
    void shouldSayWhichKeyHoldsASecretThatIsTooShort() {
        Map<String, Object> conf = conf();
        conf.put(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD, "me:short");
        assertThatThrownBy(() -> listening(conf))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD);
    }

    @Test
    void shouldSayWhichPortIsTaken() {
        listening(conf());
        assertThatThrownBy(() -> listening(conf()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(Integer.toString(port));
    }

    @Test
    void shouldSayWhichTransportsThereAre() {
        TransportContext context = new TransportContext("carrier-pigeon") {};
        context.prepare(conf(), null);
        assertThatThrownBy(() -> context.bind(TestWorker.TOPOLOGY, port, batch -> {}, null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("carrier-pigeon")
                .hasMessageContaining("netty");
    }

    @Test
    void shouldRefuseTheUsesThatMakeNoSense() {
        TestWorker receiver = listening(conf());
        IConnection outbound = worker(conf()).connectAndWait(port);
        assertThatThrownBy(() -> outbound.sendLoadMetrics(Map.of())).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> receiver.inbound.send(messages())).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> receiver.bind(TestWorker.TOPOLOGY, port)).isInstanceOf(IllegalStateException.class);
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

    private static void assertArrive(TestWorker receiver, List<TaskMessage> sent) {
        Await.until(sent.size() + " messages", () -> receiver.received.size() >= sent.size());
        assertThat(receiver.received)
                .usingElementComparator((a, b) -> a.task() == b.task() ? Arrays.compare(a.message(), b.message()) : 1)
                .containsExactlyElementsOf(sent);
    }
}
