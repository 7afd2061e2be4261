package io.updraft.transport.zeromq;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.contract.ChannelRecorder;
import io.updraft.transport.contract.TransportOwner;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A killed process, which cannot close its channel. */
final class ZeroMqKilledPeerTest {

    @Test
    void shouldNoticeAPeerThatWasKilled() throws Exception {
        shouldNotice(peer -> peer.destroyForcibly().waitFor());
    }

    /** Its connection stays open, but nobody answers pings. */
    @Test
    void shouldNoticeAPeerThatWasStopped() throws Exception {
        shouldNotice(peer -> new ProcessBuilder("kill", "-STOP", String.valueOf(peer.pid()))
                .start()
                .waitFor());
    }

    private static void shouldNotice(End end) throws Exception {
        Map<String, Object> conf = Map.of(ZeroMqProvider.HEARTBEAT, 500, TransportOptions.CONNECT_TIMEOUT, 20_000);
        Transport transport = new ZeroMqProvider().create(TransportOptions.of(conf));
        try (TransportOwner owner = new TransportOwner(transport)) {
            ChannelRecorder far = new ChannelRecorder();
            Binding binding = owner.call(() -> transport.bind(new Address("127.0.0.1", 0), () -> far));
            Process peer = start(binding.address().port());
            try {
                owner.until("the channel is open", far::isOpened);
                end.of(peer);
                owner.until("the peer's end is noticed", far::isClosed);
                assertThat(far.reason()).contains("lost");
            } finally {
                peer.destroyForcibly();
            }
        }
    }

    /** How a process ends, or as good as. */
    private interface End {

        void of(Process peer) throws Exception;
    }

    private static Process start(int port) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Peer.class.getName(),
                        String.valueOf(port))
                .inheritIO()
                .start();
    }

    /** Connects and stays. */
    static final class Peer {

        private Peer() {}

        public static void main(String[] arguments) throws Exception {
            Map<String, Object> conf = Map.of(TransportOptions.CONNECT_TIMEOUT, 20_000);
            try (Transport transport = new ZeroMqProvider().create(TransportOptions.of(conf))) {
                ChannelRecorder near = new ChannelRecorder();
                transport.connect(new Address("127.0.0.1", Integer.parseInt(arguments[0])), near);
                while (!near.isClosed()) {
                    transport.poll();
                    transport.await(1_000_000_000);
                }
            }
        }
    }
}
