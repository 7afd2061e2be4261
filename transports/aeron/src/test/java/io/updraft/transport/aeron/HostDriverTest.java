package io.updraft.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.status.HeartbeatTimestamp;
import io.updraft.base.testing.Await;
import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.HostService;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.contract.ChannelRecorder;
import io.updraft.transport.contract.TransportOwner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One driver for the processes of a host: the effects of faulty processes and of a faulty driver. */
final class HostDriverTest {

    private static final Address ANY_PORT = new Address("127.0.0.1", 0);
    private static final Duration DEADLINE = Duration.ofSeconds(TransportOwner.DEADLINE_SECONDS);

    /** After so long a silence a driver as Aeron configures it gives a client up. */
    private static final long AERONS_PATIENCE_MILLIS = 10_000;

    /** How long opening a channel may take on a slow machine. */
    private static final int CONNECT_MILLIS = 20_000;

    /** Between two polls of who waits for long. */
    private static final long PAUSE_NANOS = 1_000_000;

    private HostService host;
    private Path folder;
    private TransportOwner owner;
    private Transport transport;

    @BeforeEach
    void start() throws Exception {
        host = new AeronProvider()
                .openHostService(TransportOptions.of(Map.of()))
                .orElseThrow();
        folder = Path.of(host.options().get(AeronProvider.SHARED_DRIVER).toString());
        transport = create();
        owner = new TransportOwner(transport);
    }

    @AfterEach
    void stop() throws Exception {
        owner.close();
        host.close();
    }

    @Test
    void shouldRemoveWhatAKilledProcessHasLeft() throws Exception {
        int before = logs();
        ChannelRecorder far = new ChannelRecorder();
        Process peer = peerOf(far);
        assertThat(logs()).isGreaterThan(before);
        peer.destroyForcibly().waitFor();
        owner.until("the peer's end is noticed", far::isClosed);
        owner.until("its logs are gone, and ours to it", () -> logs() == before);
    }

    @Test
    @Tag("long")
    void shouldKeepTheChannelsOfAProcessThatWasStoppedForLong() throws Exception {
        ChannelRecorder far = new ChannelRecorder();
        Process peer = peerOf(far);
        CountersReader counters = DriverControlFile.of(folder.toString()).counters();
        signal("STOP", peer);
        owner.until("it has been silent for long", () -> silence(counters, peer) > AERONS_PATIENCE_MILLIS + 1_000);
        signal("CONT", peer);
        owner.run(() -> far.channel().offer(ByteBuffer.wrap(new byte[] {42})));
        owner.until("it answers", () -> !far.messages().isEmpty());
        peer.destroyForcibly();
    }

    @Test
    void shouldRefuseAPortThatAnotherProcessHas() throws Exception {
        Binding binding = owner.call(() -> transport.bind(ANY_PORT, ChannelRecorder::new));
        Process peer = start(Listener.class, binding.address().port());
        String said = new String(peer.getInputStream().readAllBytes());
        assertThat(said)
                .contains("cannot listen on " + binding.address())
                .contains("another process listens there already");
    }

    @Test
    void shouldAnswerNoMorePeersAtOnceThanAllowedBeforeTheyListen() throws Exception {
        Map<String, Object> conf = new HashMap<>(host.options());
        conf.put(TransportOptions.MAX_UNAUTHENTICATED, 2);
        // Long enough to be seen while they are waited for; who comes after them has far more time.
        conf.put(TransportOptions.CONNECT_TIMEOUT, 4_000);
        Transport limited = new AeronProvider().create(TransportOptions.of(conf));
        conf.put(TransportOptions.CONNECT_TIMEOUT, 40_000);
        Transport patient = new AeronProvider().create(TransportOptions.of(conf));
        try (TransportOwner theirs = new TransportOwner(limited);
                TransportOwner ours = new TransportOwner(patient);
                Aeron peer = Aeron.connect(new Aeron.Context().aeronDirectoryName(folder.toString()))) {
            Binding binding = theirs.call(() -> limited.bind(ANY_PORT, ChannelRecorder::new));
            int before = logs();
            long start = System.nanoTime();
            for (int i = 0; i < 2; i++) {
                greet(peer, binding.address().port());
            }
            owner.until("both have asked and are answered", () -> logs() == before + 2 + 2);
            ChannelRecorder near = new ChannelRecorder();
            ours.run(() -> patient.connect(binding.address(), near));
            ours.until("it is known how that went", () -> near.isOpened() || near.isClosed());
            assertThat(near.isOpened()).as("as soon as there is room").isTrue();
            assertThat(System.nanoTime() - start)
                    .as("when the strangers are given up")
                    .isGreaterThan(4_000_000_000L);
        }
    }

    /** Connects as somebody who does not listen for the answer. */
    private static void greet(Aeron peer, int port) {
        ExclusivePublication publication = peer.addExclusivePublication("aeron:ipc?term-length=64k", port);
        while (publication.offer(AeronProtocol.greeting(AeronProtocol.OPEN, 1, -port)) < 0) {
            Thread.onSpinWait();
        }
    }

    /** The driver may number what it is asked for in another order than it answers in. */
    @Test
    void shouldRefuseAPortThatIsClaimedByWhoHasALaterNumber() throws Exception {
        int port = 4_711;
        UnsafeBuffer key = new UnsafeBuffer(new byte[Integer.BYTES]);
        key.putInt(0, port);
        UnsafeBuffer label = new UnsafeBuffer("another".getBytes(StandardCharsets.US_ASCII));
        try (Aeron other = Aeron.connect(new Aeron.Context().aeronDirectoryName(folder.toString()))) {
            other.addStaticCounter(PortClaim.TYPE, key, 0, key.capacity(), label, 0, label.capacity(), Long.MAX_VALUE);
            Address taken = new Address("127.0.0.1", port);
            assertThatThrownBy(() -> owner.call(() -> transport.bind(taken, ChannelRecorder::new)))
                    .hasStackTraceContaining("another process listens there already");
        }
    }

    @Test
    void shouldGiveAPortToOneAtMostOfThoseWhoWantItAtOnce() throws Exception {
        AtomicInteger holders = new AtomicInteger();
        AtomicInteger had = new AtomicInteger();
        ExecutorService wanting = Executors.newFixedThreadPool(2);
        Callable<Integer> most = () -> mostHolders(holders, had);
        for (Future<Integer> each : wanting.invokeAll(List.of(most, most))) {
            assertThat(each.get()).isLessThanOrEqualTo(1);
        }
        wanting.shutdown();
        assertThat(had).as("how often somebody had it").hasPositiveValue();
    }

    /** {@return how many had the same port at most, of those who want it as this thread does} */
    private Integer mostHolders(AtomicInteger holders, AtomicInteger had) throws TransportException {
        int most = 0;
        try (AeronDriver driver = AeronDriver.start(AeronSettings.of(TransportOptions.of(host.options())))) {
            for (int round = 0; round < 20; round++) {
                try {
                    PortClaim claim = PortClaim.of(driver.client(), 4_712);
                    most = Math.max(most, holders.incrementAndGet());
                    had.incrementAndGet();
                    holders.decrementAndGet();
                    claim.close();
                } catch (IllegalStateException another) {
                    assertThat(another).hasMessageContaining("listens there already");
                }
            }
        }
        return most;
    }

    @Test
    void shouldTellChannelsAndThenTheOwnerThatTheDriverIsGone() throws Exception {
        try (Transport near = create();
                Transport other = create()) {
            ChannelRecorder far = new ChannelRecorder();
            ChannelRecorder here = new ChannelRecorder();
            Binding binding = other.bind(ANY_PORT, () -> far);
            near.connect(binding.address(), here);
            while (!here.isOpened()) {
                near.poll();
                other.poll();
            }
            owner.close();
            host.close();
            assertThatThrownBy(() -> {
                        while (true) {
                            near.poll();
                            LockSupport.parkNanos(PAUSE_NANOS);
                        }
                    })
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("media driver is gone");
            assertThat(here.isClosed()).isTrue();
        }
    }

    @Test
    void shouldNoticeThatTheProcessOfTheDriverWasKilled() throws Exception {
        Process elsewhere = java(Host.class);
        String shared = elsewhere.inputReader().readLine();
        Map<String, Object> conf =
                Map.of(AeronProvider.SHARED_DRIVER, shared, TransportOptions.CONNECT_TIMEOUT, CONNECT_MILLIS);
        try (Transport near = new AeronProvider().create(TransportOptions.of(conf))) {
            ChannelRecorder here = new ChannelRecorder();
            near.connect(near.bind(ANY_PORT, ChannelRecorder::new).address(), here);
            pollUntil(near, here::isOpened);
            elsewhere.destroyForcibly().waitFor();
            pollUntil(near, here::isClosed);
            assertThat(here.reason()).contains("media driver is gone");
            assertThatThrownBy(() -> pollUntil(near, () -> false)).hasMessageContaining("media driver is gone");
        } finally {
            elsewhere.destroyForcibly();
            DriverFolder.removeWithParent(Path.of(shared));
        }
    }

    @Test
    void shouldNotWaitForTheAnswerOfADriverWhoseProcessWasKilled() throws Exception {
        Process elsewhere = java(Host.class);
        String shared = elsewhere.inputReader().readLine();
        Map<String, Object> conf = Map.of(AeronProvider.SHARED_DRIVER, shared);
        try (Transport near = new AeronProvider().create(TransportOptions.of(conf))) {
            elsewhere.destroyForcibly().waitFor();
            assertTimeoutPreemptively(
                    DEADLINE,
                    () -> assertThatThrownBy(() -> near.bind(ANY_PORT, ChannelRecorder::new))
                            .isInstanceOf(TransportException.class)
                            .hasMessageContaining("is dead"));
        } finally {
            DriverFolder.removeWithParent(Path.of(shared));
        }
    }

    private static void pollUntil(Transport transport, BooleanSupplier condition) {
        Await.until("the transport has done it", DEADLINE, () -> {
            transport.poll();
            return condition.getAsBoolean();
        });
    }

    @Test
    void shouldLeaveNoFilesBehind() throws Exception {
        assertThat(folder).exists();
        owner.close();
        host.close();
        assertThat(folder.getParent()).doesNotExist();
    }

    @Test
    void shouldStartNothingWhereTheConfigurationNamesADriver() throws Exception {
        Optional<HostService> none = new AeronProvider().openHostService(TransportOptions.of(host.options()));
        assertThat(none).isEmpty();
    }

    private Transport create() throws TransportException {
        Map<String, Object> conf = new HashMap<>(host.options());
        conf.put(TransportOptions.CONNECT_TIMEOUT, CONNECT_MILLIS);
        return new AeronProvider().create(TransportOptions.of(conf));
    }

    /** Starts a process that opens a channel to us, and waits until it is open. */
    private Process peerOf(ChannelRecorder far) throws Exception {
        Binding binding = owner.call(() -> transport.bind(ANY_PORT, () -> far));
        Process peer = start(Echo.class, binding.address().port());
        owner.until("the channel is open", far::isOpened);
        return peer;
    }

    /** {@return how many logs of publications the driver keeps} */
    private int logs() {
        String[] names = folder.resolve("publications").toFile().list();
        return names == null ? 0 : names.length;
    }

    /** {@return milliseconds since a process has given a sign of life to the driver} */
    private static long silence(CountersReader counters, Process process) {
        long[] last = {Long.MAX_VALUE};
        counters.forEach((id, type, key, label) -> {
            if (type == ProcessCounter.TYPE && ProcessCounter.process(key) == process.pid()) {
                int heartbeat = HeartbeatTimestamp.findCounterIdByRegistrationId(
                        counters, HeartbeatTimestamp.HEARTBEAT_TYPE_ID, counters.getCounterOwnerId(id));
                last[0] = counters.getCounterValue(heartbeat);
            }
        });
        return System.currentTimeMillis() - last[0];
    }

    private static void signal(String name, Process process) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    private Process start(Class<?> main, int port) throws IOException {
        return java(main, folder.toString(), String.valueOf(port));
    }

    private static Process java(Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--add-opens",
                "java.base/jdk.internal.misc=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Has a driver for others, until it is killed. */
    static final class Host {

        private Host() {}

        public static void main(String[] arguments) throws Exception {
            HostService host = new AeronProvider()
                    .openHostService(TransportOptions.of(Map.of()))
                    .orElseThrow();
            System.out.println(host.options().get(AeronProvider.SHARED_DRIVER));
            Thread.currentThread().join();
        }
    }

    /** Connects, and sends back what comes, until the channel is closed. */
    static final class Echo {

        private Echo() {}

        public static void main(String[] arguments) throws Exception {
            Map<String, Object> conf =
                    Map.of(AeronProvider.SHARED_DRIVER, arguments[0], TransportOptions.CONNECT_TIMEOUT, CONNECT_MILLIS);
            try (Transport transport = new AeronProvider().create(TransportOptions.of(conf))) {
                ChannelRecorder near = new ChannelRecorder();
                transport.connect(new Address("127.0.0.1", Integer.parseInt(arguments[1])), near);
                int answered = 0;
                while (!near.isClosed()) {
                    transport.poll();
                    if (answered < near.messages().size()) {
                        near.channel().offer(ByteBuffer.wrap(new byte[] {1}));
                        answered++;
                    }
                    transport.await(TimeUnit.MILLISECONDS.toNanos(100));
                }
            }
        }
    }

    /** Tries to listen, and prints what it hears. */
    static final class Listener {

        private Listener() {}

        public static void main(String[] arguments) throws Exception {
            Map<String, Object> conf = Map.of(AeronProvider.SHARED_DRIVER, arguments[0]);
            try (Transport transport = new AeronProvider().create(TransportOptions.of(conf))) {
                transport.bind(new Address("127.0.0.1", Integer.parseInt(arguments[1])), ChannelRecorder::new);
            } catch (TransportException refused) {
                System.out.println(refused.getMessage());
            }
        }
    }
}
