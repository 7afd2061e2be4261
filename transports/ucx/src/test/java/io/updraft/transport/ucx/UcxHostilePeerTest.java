package io.updraft.transport.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.Address;
import io.updraft.transport.Binding;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.contract.ChannelRecorder;
import io.updraft.transport.contract.TransportOwner;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucs.UcsConstants.STATUS;

/** Peers that are broken, of another version or malicious: they lose at most their own channel. */
final class UcxHostilePeerTest {

    private static final long SMALL_WINDOW = 1 << 20;

    private Transport transport;

    @AutoClose
    private TransportOwner owner;

    private Binding binding;
    private final List<ChannelRecorder> accepted = new ArrayList<>();

    @BeforeEach
    void listen() throws Exception {
        Optional<String> reason = Libucx.whyNotHere();
        Assumptions.assumeTrue(reason.isEmpty(), reason::get);
        listen(20_000);
    }

    private void listen(int connectMillis) throws Exception {
        transport = new UcxTransportProvider()
                .create(TransportOptions.of(
                        Map.of(UcxSettings.TLS, "tcp", TransportOptions.CONNECT_TIMEOUT, connectMillis)));
        owner = new TransportOwner(transport);
        binding = owner.call(() -> transport.bind(new Address("127.0.0.1", 0), () -> {
            accepted.add(new ChannelRecorder());
            return accepted.get(accepted.size() - 1);
        }));
    }

    @Test
    void shouldOutliveGarbageFromPeersThatAreNotUcx() throws Exception {
        Random random = new Random(3);
        for (int i = 0; i < 200; i++) {
            sendGarbage(random);
        }
        assertThatOthersCanTalk();
        assertThat(owner.call(accepted::size)).isEqualTo(1);
    }

    private void sendGarbage(Random random) {
        try (Socket socket = new Socket("127.0.0.1", binding.address().port())) {
            byte[] garbage = new byte[random.nextInt(600)];
            random.nextBytes(garbage);
            if (random.nextBoolean() && garbage.length > 8) {
                // A length that UCX could believe.
                ByteBuffer.wrap(garbage).order(java.nio.ByteOrder.LITTLE_ENDIAN).putLong(random.nextInt(400));
            }
            socket.getOutputStream().write(garbage);
        } catch (IOException refused) {
            // To close in the face of garbage is right.
        }
    }

    @Test
    void shouldGiveUpAPeerThatConnectsAndNeverSaysWhoItIs() throws Exception {
        owner.close();
        listen(1_000);
        try (Hostile peer = new Hostile()) {
            owner.until("the silent peer is dropped", () -> peer.progress() && peer.isRefused());
        }
        assertThat(owner.call(accepted::size)).isZero();
        assertThatOthersCanTalk();
    }

    @Test
    void shouldRefuseAnotherVersionAndNameBoth() throws Exception {
        try (Hostile peer = new Hostile()) {
            peer.helloAndAnswer();
            peer.send(
                    UcxFrame.DATA,
                    peer.channel,
                    1,
                    0,
                    bytes -> bytes.putInt(4).putInt(1),
                    frame -> frame.put(2, (byte) 9));
            assertClosed(peer, "version 9", "version " + UcxFrame.VERSION);
        }
    }

    @Test
    void shouldCloseTheChannelOfAPeerThatSendsAFrameTwice() throws Exception {
        try (Hostile peer = new Hostile()) {
            peer.helloAndAnswer();
            peer.send(
                    UcxFrame.DATA, peer.channel, 0, 0, bytes -> bytes.putInt(4).putInt(1));
            assertClosed(peer, "twice");
        }
    }

    @Test
    void shouldCloseTheChannelOfAPeerThatClaimsToHaveReceivedWhatWasNotSent() throws Exception {
        try (Hostile peer = new Hostile()) {
            peer.helloAndAnswer();
            peer.send(UcxFrame.CREDIT, peer.channel, 1, 1_000_000, bytes -> {});
            assertClosed(peer, "more than was sent");
        }
    }

    @Test
    void shouldCloseTheChannelOfAPeerThatSendsAnUnknownKindOfFrame() throws Exception {
        try (Hostile peer = new Hostile()) {
            peer.helloAndAnswer();
            peer.send((byte) 77, peer.channel, 1, 0, bytes -> {});
            assertClosed(peer, "kind 77");
        }
    }

    @Test
    void shouldCloseTheChannelOfAPeerThatIntroducesItselfTwice() throws Exception {
        try (Hostile peer = new Hostile()) {
            peer.helloAndAnswer();
            peer.send(
                    UcxFrame.HELLO,
                    peer.channel,
                    1,
                    0,
                    bytes -> bytes.putLong(1).putLong(1));
            assertClosed(peer, "a second HELLO");
        }
    }

    @Test
    void shouldIgnoreFramesForAChannelThatThePeerWasNeverTold() throws Exception {
        try (Hostile peer = new Hostile()) {
            peer.helloAndAnswer();
            Random random = new Random(1);
            for (int i = 1; i < 300; i++) {
                peer.send(UcxFrame.BYE, random.nextLong(), i, 0, bytes -> {});
            }
            peer.send(
                    UcxFrame.DATA, peer.channel, 1, 0, bytes -> bytes.putInt(4).putInt(42));
            owner.until(
                    "what is for the channel arrives",
                    () -> peer.progress() && accepted.get(0).messages().size() == 1);
            assertThat(owner.call(() -> accepted.get(0).isClosed())).isFalse();
        }
    }

    @Test
    void shouldOutliveFramesOfRandomBytes() throws Exception {
        Random random = new Random(7);
        for (int round = 0; round < 20; round++) {
            try (Hostile peer = new Hostile()) {
                peer.helloAndAnswer();
                for (int i = 0; i < 20; i++) {
                    peer.sendRandom(random, i + 1);
                }
                peer.flush();
            }
        }
        assertThatOthersCanTalk();
    }

    private void assertClosed(Hostile peer, String... why) throws Exception {
        owner.until(
                "the channel is closed",
                () -> peer.progress() && accepted.get(0).isClosed());
        assertThat(owner.call(() -> accepted.get(0).reason())).contains(why);
        assertThat(owner.call(() -> accepted.get(0).messages())).isEmpty();
        assertThatOthersCanTalk();
    }

    /** An honest peer gets its message through. */
    private void assertThatOthersCanTalk() throws Exception {
        int before = owner.call(accepted::size);
        ChannelRecorder near = new ChannelRecorder();
        owner.run(() -> transport.connect(binding.address(), near));
        owner.until("an honest peer connects", () -> near.isOpened() && accepted.size() == before + 1);
        owner.run(() -> {
            assertThat(near.channel().offer(ByteBuffer.allocate(9))).isTrue();
            near.channel().flush();
        });
        owner.until("its message arrives", () -> accepted.get(before).messages().size() == 1);
    }

    /** A peer that speaks UCX, and to us as it likes. Its worker is the owner's as well, since both poll in turn. */
    private final class Hostile implements AutoCloseable {

        private final Ucx ucx;
        private final FrameBuffers buffers = new FrameBuffers();
        private final AtomicInteger failures = new AtomicInteger();
        private final UcpEndpoint endpoint;
        private final List<Segment> sent = new ArrayList<>();
        private long channel;

        Hostile() throws Exception {
            ucx = owner.call(() -> Ucx.open(UcxSettings.of(Map.of(UcxSettings.TLS, "tcp"))));
            int redirect = introduced();
            endpoint = owner.call(() -> {
                ucx.receive((header, headerBytes, data, from) -> {
                    ByteBuffer frame = buffers.copyOf(data.getDataAddress(), data.getLength());
                    if (UcxFrame.kind(frame) == UcxFrame.HELLO) {
                        channel = frame.getLong(UcxFrame.HEADER_BYTES);
                    }
                    return STATUS.UCS_OK;
                });
                return ucx.connect(new InetSocketAddress("127.0.0.1", redirect), why -> failures.incrementAndGet());
            });
        }

        /** Introduces itself as it must; returns where it is let in. */
        private int introduced() throws IOException, UcxProtocolException {
            try (Socket socket = new Socket("127.0.0.1", binding.address().port())) {
                socket.getOutputStream().write(new PortMessage(0).encoded().array());
                ByteBuffer answer = ByteBuffer.wrap(socket.getInputStream().readNBytes(PortMessage.BYTES));
                return PortMessage.decode(answer.position(answer.limit())).port();
            }
        }

        boolean progress() {
            ucx.progress();
            return true;
        }

        boolean isRefused() {
            return failures.get() > 0;
        }

        void helloAndAnswer() throws Exception {
            send(UcxFrame.HELLO, 0, 0, 0, bytes -> bytes.putLong(4711).putLong(SMALL_WINDOW));
            owner.until("the hostile peer is let in", () -> progress() && channel != 0);
        }

        void send(byte kind, long to, long sequence, long consumed, Consumer<ByteBuffer> content) throws Exception {
            send(kind, to, sequence, consumed, content, frame -> {});
        }

        void send(
                byte kind,
                long to,
                long sequence,
                long consumed,
                Consumer<ByteBuffer> content,
                Consumer<ByteBuffer> falsified)
                throws Exception {
            owner.run(() -> {
                Segment segment = ucx.segments.take();
                content.accept(segment.bytes);
                UcxFrame.seal(segment.bytes, kind, to, sequence, consumed);
                falsified.accept(segment.bytes);
                sent.add(segment);
                Ucx.send(endpoint, segment, kind == UcxFrame.HELLO);
            });
        }

        /** Any bytes at all; often behind a header that is nearly right. */
        void sendRandom(Random random, int sequence) throws Exception {
            byte[] bytes = new byte[random.nextInt(3_000)];
            random.nextBytes(bytes);
            LongSupplier any = () -> random.nextInt(3) == 0 ? random.nextLong() : 0;
            byte kind = (byte) (1 + random.nextInt(4));
            try {
                send(kind, channel, sequence + any.getAsLong(), any.getAsLong(), buffer -> buffer.put(bytes), frame -> {
                    if (random.nextInt(4) == 0) {
                        frame.put(random.nextInt(frame.limit()), (byte) random.nextInt());
                    }
                });
            } catch (UcxException refused) {
                // The other side has had enough.
                failures.incrementAndGet();
            }
        }

        void flush() throws Exception {
            owner.until(
                    "all is sent",
                    () -> progress() && (isRefused() || sent.stream().allMatch(Segment::isFree)));
        }

        @Override
        public void close() throws IOException {
            try {
                owner.run(() -> {
                    var closing = endpoint.closeNonBlockingForce();
                    for (int i = 0; i < 100_000 && !closing.isCompleted(); i++) {
                        progress();
                    }
                    ucx.close();
                });
            } catch (Exception failed) {
                throw new IOException(failed);
            }
        }
    }
}
