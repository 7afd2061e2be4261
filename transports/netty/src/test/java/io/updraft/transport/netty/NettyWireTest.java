package io.updraft.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.TransportOptions;
import io.updraft.transport.contract.ChannelRecorder;
import io.updraft.transport.netty.ConnectedEnds.Listener;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How a transport handles bytes that no Updraft peer sends. */
@ExtendWith(NoLeaks.class)
final class NettyWireTest {

    private static final int LIMIT = 10_000;

    @AutoClose
    private final ConnectedEnds ends = new ConnectedEnds();

    private Listener listener;

    @BeforeEach
    void listen() throws Exception {
        listener = ends.listener(Map.of(TransportOptions.MAX_MESSAGE, LIMIT));
    }

    @Test
    void shouldTakeAMessageThatComesByteByByte() throws Exception {
        try (Socket peer = listener.dial()) {
            peer.setTcpNoDelay(true);
            for (byte one : frame(5, "hello")) {
                peer.getOutputStream().write(one);
            }
            awaitMessages(1);
            assertThat(listener.first().messages().get(0)).asString().isEqualTo("hello");
        }
    }

    @Test
    void shouldTakeMessagesCutAnywhere() throws Exception {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = 1; i <= 200; i++) {
            all.write(frame(i, "x".repeat(i)));
        }
        SplittableRandom random = new SplittableRandom(1);
        try (Socket peer = listener.dial()) {
            peer.setTcpNoDelay(true);
            byte[] bytes = all.toByteArray();
            for (int at = 0; at < bytes.length; ) {
                int length = Math.min(bytes.length - at, random.nextInt(1, 90));
                peer.getOutputStream().write(bytes, at, length);
                at += length;
            }
            awaitMessages(200);
            assertThat(listener.first().messages().get(199)).hasSize(200);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MIN_VALUE + 5, NettyFrames.COMPRESSED})
    void shouldCloseOnALengthThatIsNone(int header) throws Exception {
        assertThat(reasonAfter(frame(header, "hello"))).contains("sends garbage");
        assertThat(listener.first().messages()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {LIMIT + 1, NettyFrames.MAX_BODY})
    void shouldCloseOnALengthBeyondTheLimit(int header) throws Exception {
        assertThat(reasonAfter(frame(header, "hello"))).contains(String.valueOf(header), String.valueOf(LIMIT));
    }

    @Test
    void shouldCloseOnGarbage() throws Exception {
        assertThat(reasonAfter("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)))
                .contains("it is not an Updraft peer");
    }

    @Test
    void shouldSurviveAnyBytes() throws Exception {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 300; i++) {
            byte[] bytes = new byte[random.nextInt(1, 400)];
            random.nextBytes(bytes);
            // Half of them look like a compressed message.
            if (i % 2 == 0 && bytes.length > 9) {
                ByteBuffer.wrap(bytes)
                        .putInt((bytes.length - 4) | NettyFrames.COMPRESSED)
                        .put((byte) (1 + i / 2 % 2))
                        .putInt(random.nextInt(1, LIMIT));
            }
            try (Socket peer = listener.dial()) {
                write(peer, bytes);
            }
        }
        listener.end()
                .owner()
                .until(
                        "all are closed",
                        () -> listener.accepted().size() == 300
                                && listener.accepted().stream().allMatch(ChannelRecorder::isClosed));
        shouldTakeAnHonestPeerAfterwards();
    }

    private void shouldTakeAnHonestPeerAfterwards() throws Exception {
        try (Socket peer = listener.dial()) {
            write(peer, frame(2, "ok"));
            listener.end()
                    .owner()
                    .until(
                            "the honest peer is heard",
                            () -> listener.accepted().stream()
                                    .flatMap(recorder -> recorder.messages().stream())
                                    .anyMatch(message -> new String(message, StandardCharsets.US_ASCII).equals("ok")));
        }
    }

    @Test
    void shouldDeliverNothingOfATruncatedMessage() throws Exception {
        assertThat(reasonAfter(frame(9_000, "only the beginning"))).contains("closed by");
        assertThat(listener.first().messages()).isEmpty();
    }

    @Test
    void shouldSayThatThePeerSpeaksTls() throws Exception {
        byte[] clientHello = {22, 3, 1, 2, 0, 1, 0, 1, 60, 3, 3};
        assertThat(reasonAfter(clientHello)).contains("speaks TLS").contains(Tls.ENABLED);
    }

    @Test
    void shouldCloseWhenThePeerResets() throws Exception {
        Socket peer = listener.dial();
        write(peer, frame(5, "hello"));
        awaitMessages(1);
        peer.setSoLinger(true, 0);
        peer.close();
        assertThat(listener.reasonOfFirst()).containsAnyOf("reset", "closed by");
    }

    @Test
    void shouldNotWaitForAPeerThatSaysNothing() throws Exception {
        try (Socket silent = listener.dial();
                Socket peer = listener.dial()) {
            assertThat(silent.isConnected()).isTrue();
            write(peer, frame(2, "ok"));
            listener.end()
                    .owner()
                    .until(
                            "the other is heard",
                            () -> listener.accepted().stream()
                                    .anyMatch(recorder -> recorder.messages().size() == 1));
        }
    }

    private String reasonAfter(byte[] bytes) throws Exception {
        try (Socket peer = listener.dial()) {
            write(peer, bytes);
        }
        return listener.reasonOfFirst();
    }

    private static void write(Socket peer, byte[] bytes) throws IOException {
        peer.getOutputStream().write(bytes);
    }

    private void awaitMessages(int count) throws Exception {
        ChannelRecorder recorder = listener.first();
        listener.end()
                .owner()
                .until(count + " messages", () -> recorder.messages().size() == count);
    }

    private static byte[] frame(int header, String body) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(header);
        out.writeBytes(body);
        return bytes.toByteArray();
    }
}
