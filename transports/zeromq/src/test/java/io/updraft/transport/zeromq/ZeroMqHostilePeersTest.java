package io.updraft.transport.zeromq;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.contract.ChannelRecorder;
import io.updraft.transport.contract.TransportOwner;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/** Messages from programs that do not, or not fully, implement this transport. */
final class ZeroMqHostilePeersTest {

    private static final Address ANY_PORT = new Address("127.0.0.1", 0);

    private Transport transport;

    @AutoClose
    private TransportOwner owner;

    @BeforeEach
    void start() throws Exception {
        start(Map.of(TransportOptions.CONNECT_TIMEOUT, 20_000));
    }

    private void start(Map<String, Object> conf) throws Exception {
        transport = new ZeroMqProvider().create(TransportOptions.of(conf));
        owner = new TransportOwner(transport);
    }

    @Test
    void shouldSurviveGarbageOnItsPort() throws Exception {
        ChannelRecorder far = new ChannelRecorder();
        Binding binding = bind(far);
        byte[] garbage = new byte[64 * 1024];
        new Random(5).nextBytes(garbage);
        for (int length : new int[] {1, 10, 64, garbage.length}) {
            write(binding.address(), garbage, length);
        }
        write(binding.address(), "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII), 18);
        shouldStillAccept(binding, far);
    }

    @Test
    void shouldGiveUpAPeerThatIsNoZeroMq() throws Exception {
        owner.close();
        start(Map.of(TransportOptions.CONNECT_TIMEOUT, 1_000));
        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            ChannelRecorder near = connect(new Address("127.0.0.1", mute.getLocalPort()));
            owner.until("the attempt is given up", near::isClosed);
            assertThat(near.isOpened()).isFalse();
            assertThat(near.reason()).contains("timeout");
        }
    }

    @Test
    void shouldRefuseAZeroMqPeerOfAnotherProtocol() throws Exception {
        ChannelRecorder far = new ChannelRecorder();
        Binding binding = bind(far);
        try (ZContext context = new ZContext()) {
            ZMQ.Socket peer = dial(context, binding);
            peer.send("hello");
            assertThat(answerKind(peer)).isEqualTo(ZeroMqProtocol.CLOSE);
        }
        shouldStillAccept(binding, far);
    }

    @Test
    void shouldCloseTheChannelOfAPeerThatSendsWhatIsNoMessage() throws Exception {
        for (byte[] nonsense : new byte[][] {{}, {77}, {ZeroMqProtocol.DATA, 0, 0, 0, 0}, {99, 0, 0, 0, 0, 1}}) {
            ChannelRecorder far = new ChannelRecorder();
            Binding binding = bind(far);
            try (ZContext context = new ZContext()) {
                ZMQ.Socket peer = dial(context, binding);
                peer.send(ZeroMqProtocol.greeting(ZeroMqProtocol.OPEN, 1_000_000));
                assertThat(answerKind(peer)).isEqualTo(ZeroMqProtocol.OPENED);
                peer.send(nonsense);
                owner.until("the channel is closed", far::isClosed);
                assertThat(far.reason()).contains("protocol");
                assertThat(answerKind(peer)).isEqualTo(ZeroMqProtocol.CLOSE);
            }
        }
    }

    @Test
    void shouldAcceptNobodyWhileTooManyThatItHasClosedDoNotHangUp() throws Exception {
        owner.close();
        start(Map.of(TransportOptions.MAX_UNAUTHENTICATED, 2, TransportOptions.CONNECT_TIMEOUT, 20_000));
        List<ChannelRecorder> accepted = new ArrayList<>();
        Binding binding = owner.call(() -> transport.bind(ANY_PORT, () -> {
            accepted.add(new ChannelRecorder());
            return accepted.get(accepted.size() - 1);
        }));
        try (ZContext context = new ZContext()) {
            for (int i = 0; i < 2; i++) {
                ZMQ.Socket peer = dial(context, binding);
                peer.send(ZeroMqProtocol.greeting(ZeroMqProtocol.OPEN, 1_000_000));
                assertThat(answerKind(peer)).isEqualTo(ZeroMqProtocol.OPENED);
                peer.send(new byte[] {77});
                assertThat(answerKind(peer)).isEqualTo(ZeroMqProtocol.CLOSE);
            }
            ChannelRecorder near = connect(binding.address());
            owner.until("it is refused", near::isClosed);
            assertThat(near.reason()).contains("refused peers stay connected");
            assertThat(owner.<Integer>call(accepted::size)).isEqualTo(2);
        }
        untilConnected(binding.address());
    }

    /** Tries again for as long as it is refused. */
    private void untilConnected(Address to) throws Exception {
        ArrayDeque<ChannelRecorder> attempts = new ArrayDeque<>(List.of(connect(to)));
        owner.until("the strangers are gone, and there is room", () -> {
            ChannelRecorder last = attempts.getLast();
            if (last.isClosed()) {
                attempts.add(new ChannelRecorder());
                transport.connect(to, attempts.getLast());
            }
            return last.isOpened();
        });
    }

    @Test
    void shouldIgnoreCreditThatWasNeverUsed() throws Exception {
        ChannelRecorder far = new ChannelRecorder();
        Binding binding = bind(far);
        try (ZContext context = new ZContext()) {
            ZMQ.Socket stranger = dial(context, binding);
            stranger.send(ZeroMqProtocol.greeting(ZeroMqProtocol.OPEN, 1_000_000));
            assertThat(answerKind(stranger)).isEqualTo(ZeroMqProtocol.OPENED);
            stranger.send(ZeroMqProtocol.credit(Integer.MAX_VALUE));
            stranger.send(ZeroMqProtocol.credit(-1));
            stranger.send(
                    ZeroMqProtocol.data(Integer.MIN_VALUE, 1, ByteBuffer.allocate(0), ByteBuffer.wrap(new byte[] {1})));
            owner.until("the message is there", () -> far.messages().size() == 1);
            assertThat(owner.<Long>call(() -> far.channel().unsent())).isZero();
        }
        owner.until("the peer is gone", far::isClosed);
    }

    private Binding bind(ChannelRecorder far) throws Exception {
        return owner.call(() -> transport.bind(ANY_PORT, () -> far));
    }

    private ChannelRecorder connect(Address to) throws Exception {
        ChannelRecorder near = new ChannelRecorder();
        owner.run(() -> transport.connect(to, near));
        return near;
    }

    private void shouldStillAccept(Binding binding, ChannelRecorder far) throws Exception {
        assertThat(owner.<Boolean>call(far::isOpened)).isFalse();
        ChannelRecorder near = connect(binding.address());
        owner.until("a channel opens", () -> near.isOpened() && far.isOpened());
    }

    private static ZMQ.Socket dial(ZContext context, Binding binding) {
        ZMQ.Socket peer = context.createSocket(SocketType.DEALER);
        peer.setReceiveTimeOut(50_000);
        // Connects anew soon if JeroMQ has lost sight of the connection: see Dialer.
        peer.setHandshakeIvl(2_000);
        peer.connect("tcp://" + binding.address());
        return peer;
    }

    private static byte answerKind(ZMQ.Socket peer) {
        return ZeroMqProtocol.kind(peer.recv());
    }

    private static void write(Address to, byte[] bytes, int length) throws IOException {
        try (Socket socket = new Socket(to.host(), to.port())) {
            socket.getOutputStream().write(bytes, 0, length);
        } catch (IOException hungUp) {
            // JeroMQ may have seen enough of it.
        }
    }
}
