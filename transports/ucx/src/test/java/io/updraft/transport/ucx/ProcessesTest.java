package io.updraft.transport.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.Address;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.contract.ChannelRecorder;
import io.updraft.transport.contract.TransportOwner;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Behaviour that shows only between processes: death of a peer, and which medium carries the bytes. */
final class ProcessesTest {

    private static final long SESSIONS_PATIENCE_NANOS = 3_000_000_000L;
    private static final Path MAPS = Path.of("/proc/self/maps");

    @BeforeEach
    void skipWithoutLibucx() {
        Optional<String> reason = Libucx.whyNotHere();
        Assumptions.assumeTrue(reason.isEmpty(), reason::get);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "shm"})
    void shouldHearThatAPeerWasKilled(String tls) throws Exception {
        // The session on top has heartbeats; this must not be slower than they are. A machine may stand still, but not
        // each time.
        long took = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 6 && took >= SESSIONS_PATIENCE_NANOS; attempt++) {
            took = nanosUntilADeathIsKnown(tls);
        }
        assertThat(took).isLessThan(SESSIONS_PATIENCE_NANOS);
    }

    private static long nanosUntilADeathIsKnown(String tls) throws Exception {
        Transport transport = create(tls);
        try (TransportOwner owner = new TransportOwner(transport);
                PeerProcess peer = new PeerProcess(tls, Map.of())) {
            ChannelRecorder recorder = talk(transport, owner, peer);
            long start = System.nanoTime();
            peer.kill();
            owner.until("the end of the peer is known", recorder::isClosed);
            assertThat(recorder.reason()).contains("the peer is gone");
            return System.nanoTime() - start;
        }
    }

    @Test
    void shouldUseSharedMemoryWhenToldTo() throws Exception {
        Transport transport = create("shm");
        Set<String> before = sharedSegments();
        try (TransportOwner owner = new TransportOwner(transport);
                PeerProcess peer = new PeerProcess("shm", Map.of())) {
            talk(transport, owner, peer);
            assertThat(sharedSegments()).hasSizeGreaterThan(before.size());
            assertThat(transport.description()).contains("shared memory");
        }
    }

    @Test
    void shouldNotUseSharedMemoryWhenToldToUseTcp() throws Exception {
        Set<String> before = sharedSegments();
        Transport transport = create("tcp");
        try (TransportOwner owner = new TransportOwner(transport);
                PeerProcess peer = new PeerProcess("tcp", Map.of())) {
            talk(transport, owner, peer);
            assertThat(sharedSegments()).isEqualTo(before);
            assertThat(transport.description()).isEqualTo("ucx, tcp");
        }
    }

    @Test
    void shouldSayWhatToInstallWhenTheLibraryIsMissing(@TempDir Path libraries) throws Exception {
        // The loader takes the first file of that name, and this is none that it can load.
        Files.createFile(libraries.resolve("libucp.so.0"));
        try (PeerProcess peer = new PeerProcess("auto", Map.of("LD_LIBRARY_PATH", libraries.toString()))) {
            assertThat(peer.firstLine())
                    .startsWith("ucx: the UCX library cannot be loaded")
                    .contains("libucp.so.0")
                    .contains("apt-get install libucx0");
        }
    }

    @Test
    void shouldLeaveNoFileBehindWhenItsProcessIsKilled(@TempDir Path temporary) throws Exception {
        try (PeerProcess peer = new PeerProcess("tcp", Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary))) {
            assertThat(peer.firstLine()).as("the port where it listens").matches("\\d+");
            peer.kill();
        }
        assertThat(temporary).isEmptyDirectory();
    }

    private static Transport create(String tls) throws Exception {
        Map<String, Object> conf = Map.of(UcxSettings.TLS, tls, TransportOptions.CONNECT_TIMEOUT, 20_000);
        return new UcxTransportProvider().create(TransportOptions.of(conf));
    }

    /** Opens a channel, and has a message sent back. */
    private static ChannelRecorder talk(Transport transport, TransportOwner owner, PeerProcess peer) throws Exception {
        ChannelRecorder recorder = new ChannelRecorder();
        Address address = new Address("127.0.0.1", Integer.parseInt(peer.firstLine()));
        owner.run(() -> transport.connect(address, recorder));
        owner.until("the channel is open", () -> recorder.isOpened() || recorder.isClosed());
        assertThat(recorder.reason()).isNull();
        owner.run(() -> {
            assertThat(recorder.channel().offer(ByteBuffer.allocate(20_000))).isTrue();
            recorder.channel().flush();
        });
        owner.until("the answer is there", () -> recorder.messages().size() == 1);
        return recorder;
    }

    /** Names of UCX's shared segments that this process has mapped. */
    private static Set<String> sharedSegments() throws Exception {
        return Files.readAllLines(MAPS).stream()
                .filter(line -> line.contains("ucx_shm_posix"))
                .map(line -> line.replaceAll(".*ucx_shm_posix_(\\w+).*", "$1"))
                .collect(Collectors.toSet());
    }
}
