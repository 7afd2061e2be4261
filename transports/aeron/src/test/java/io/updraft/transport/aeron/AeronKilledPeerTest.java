package io.updraft.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.contract.ChannelRecorder;
import io.updraft.transport.contract.TransportOwner;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A killed process cannot close its channels. */
final class AeronKilledPeerTest {

    @Test
    @Tag("long")
    void shouldNoticeAPeerThatWasKilled() throws Exception {
        Transport transport = create();
        try (TransportOwner owner = new TransportOwner(transport)) {
            ChannelRecorder far = new ChannelRecorder();
            Binding binding = owner.call(() -> transport.bind(new Address("127.0.0.1", 0), () -> far));
            Process peer = start(binding.address().port());
            owner.until("the channel is open", far::isOpened);
            peer.destroyForcibly().waitFor();
            owner.until("the peer's end is noticed", far::isClosed);
            assertThat(far.reason()).contains("lost");
        }
    }

    private static Transport create() throws TransportException {
        return new AeronProvider().create(TransportOptions.of(Map.of(TransportOptions.CONNECT_TIMEOUT, 20_000)));
    }

    private static Process start(int port) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "--add-opens",
                        "java.base/jdk.internal.misc=ALL-UNNAMED",
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
            try (Transport transport = create()) {
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
