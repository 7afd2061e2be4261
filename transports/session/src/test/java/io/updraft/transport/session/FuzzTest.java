package io.updraft.transport.session;

import static io.updraft.transport.session.SimulatedSessions.HERE;
import static io.updraft.transport.session.SimulatedSessions.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.transport.TransportException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Garbage from unauthenticated peers, and from authenticated peers that break the protocol afterwards. */
final class FuzzTest {

    private static final int CASES = 6_000;
    private static final int CREDIT = 4096;
    private static final byte[][] KINDS = samples();

    private final SplittableRandom random = new SplittableRandom(20261121);
    private final SimulatedSessions world = new SimulatedSessions();
    private final SessionRecorder far = new SessionRecorder();

    @Test
    void shouldCloseTheChannelOfAStrangerWhoSendsGarbage() throws TransportException, SessionProtocolException {
        world.messenger(SimulatedSessions.options(new PeerIdentity("t", 2, 1), SECRET, CREDIT))
                .listen(HERE, peer -> far);
        int greeted = 0;
        for (int i = 0; i < CASES / 10; i++) {
            UnauthenticatedPeer unauthenticatedPeer = new UnauthenticatedPeer(world).connect(world);
            for (int message = 0;
                    message < 20 && unauthenticatedPeer.closed == null && !isRefused(unauthenticatedPeer);
                    message++) {
                unauthenticatedPeer.say(world, any());
            }
            assertThat(isRefused(unauthenticatedPeer) || unauthenticatedPeer.closed != null)
                    .isTrue();
            assertThat(isRefused(unauthenticatedPeer) ? unauthenticatedPeer.refusal() : "")
                    .doesNotContain("handler failed");
            greeted += unauthenticatedPeer.heard.stream().anyMatch(bytes -> bytes[0] == SessionProtocol.HELLO) ? 1 : 0;
            unauthenticatedPeer.channel.close();
            world.others.clear();
        }
        assertThat(greeted)
                .as("unauthenticated peers who came past the first message")
                .isPositive();
        assertThat(far.opened).isZero();
    }

    @Test
    void shouldSurviveGarbageFromAPeerThatIsLetIn() throws TransportException, SessionProtocolException {
        world.messenger(SimulatedSessions.options(new PeerIdentity("t", 2, 1), SECRET, CREDIT))
                .listen(HERE, peer -> far);
        far.releasing = true;
        int messages = 0;
        for (long channel = 1; messages < CASES; channel++) {
            UnauthenticatedPeer insider = letIn(channel);
            assertThat(far.open).isTrue();
            while (far.open && messages < CASES) {
                insider.say(world, any());
                messages++;
            }
            assertThat(far.losses.isEmpty() ? "" : far.lastLoss().reason()).doesNotContain("handler failed");
            insider.channel.close();
            world.settle();
            world.others.clear();
        }
        assertThat(far.frames).as("frames that made sense").hasSizeGreaterThan(CASES / 100);
        assertThat(far.losses).as("channels closed").hasSizeGreaterThan(CASES / 100);
    }

    @Test
    void shouldThrowNothingButWhatClosesAChannel() {
        for (int i = 0; i < CASES; i++) {
            byte[] bytes = any();
            onlyProtocolExceptions(() -> Hello.decode(message(bytes), Role.CONNECTOR));
            onlyProtocolExceptions(() -> new FrameReceiver(CREDIT, 0).receive(bytes[0], message(bytes)));
            onlyProtocolExceptions(() -> handshake().onHello(message(bytes)));
            onlyProtocolExceptions(() -> {
                ByteBuffer refuse = message(bytes);
                SessionProtocol.ending(refuse);
                assertThat(SessionProtocol.text(refuse)).doesNotContain("\n", "\r");
            });
        }
    }

    @Test
    void shouldRecoverFromWhateverHappensToMessagesOnTheirWay() throws TransportException {
        SessionRecorder near = new SessionRecorder();
        world.messenger(SimulatedSessions.options(new PeerIdentity("t", 2, 1), SECRET, CREDIT))
                .listen(HERE, peer -> far);
        world.messenger(SimulatedSessions.options(new PeerIdentity("t", 1, 1), SECRET, CREDIT))
                .connect(HERE, 2, near);
        world.network.watch(connection -> {
            connection.toListener().tamper(this::damaged);
            connection.toConnector().tamper(this::damaged);
        });
        for (int i = 0; i < CASES / 10; i++) {
            for (SessionRecorder end : List.of(near, far)) {
                if (end.open) {
                    end.session.offer(ByteBuffer.allocate(1 + random.nextInt(3_000)));
                    end.session.flush();
                }
            }
            world.pass(5);
        }
        assertThat(near.losses).hasSizeGreaterThan(5);
        assertThat(near.losses).noneMatch(loss -> loss.reason().contains("handler threw"));
        assertThat(far.losses).noneMatch(loss -> loss.reason().contains("handler threw"));

        world.network.watch(connection -> {});
        world.network.lastConnection().cut();
        world.passUntil(() -> near.open && far.open);
        near.frames.clear();
        assertThat(far.session.offer(ByteBuffer.wrap(new byte[] {1, 2}))).isTrue();
        world.settle();
        assertThat(near.frames).containsExactly(new byte[] {1, 2});
    }

    /** Mostly the message itself; sometimes less of it, nothing at all, or something else. */
    private byte[] damaged(byte[] message) {
        switch (random.nextInt(60)) {
            case 0:
                return Arrays.copyOf(message, 1 + random.nextInt(message.length));
            case 1:
                return null;
            case 2:
                message[random.nextInt(message.length)] ^= (byte) (1 << random.nextInt(8));
                return message;
            case 3:
                return any();
            default:
                return message;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'4', a frame of 0 bytes begins with 0 bytes",
        "'5 0 0', first part of a frame is cut short: 2 of 4 bytes arrived",
        "'5 0 0 0 1 9', a frame of 1 bytes begins with 1 bytes",
        "'5 4 0 0 1 9', a frame of 67108865 bytes begins with 1 bytes",
        "'5 -1 -1 -1 -1 9', a frame of -1 bytes begins with 1 bytes",
        "'5 0 0 0 5', a frame of 5 bytes begins with 0 bytes",
        "'6 1', a part arrived for a frame that has not begun",
        "'7 1', a part arrived for a frame that has not begun",
        "'5 0 0 0 5 1 / 4 1', a new frame begins before the previous frame is complete",
        "'5 0 0 0 5 1 / 5 0 0 0 5 1', a new frame begins before the previous frame is complete",
        "'5 0 0 0 5 1 / 6', a part of a frame has 0 bytes where 4 of 5 are missing",
        "'5 0 0 0 5 1 / 6 1 2 3 4', a part of a frame has 4 bytes where 4 of 5 are missing",
        "'5 0 0 0 5 1 / 7 1 2 3', a part of a frame has 3 bytes where 4 of 5 are missing",
        "'5 0 0 0 5 1 / 7 1 2 3 4 5', a part of a frame has 5 bytes where 4 of 5 are missing",
        "'5 0 0 32 0 1 / 7 1', a part of a frame has 1 bytes where 8191 of 8192 are missing",
        "'8 0', ACCOUNT is cut short: 1 of 24 bytes arrived",
        "'8 0 0 0 0 0 0 0 1 0 0 0 0 0 0 0 1 0 0 0 0 0 0 16 0', an ACCOUNT acknowledges 1 frames",
        "'8 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1', an ACCOUNT grants 1 bytes",
        "'8 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 127 0 0 0 0 0 0 0', an ACCOUNT grants",
        "'1 2 3', a message of kind 1 arrived while the channel was OPEN",
        "'2 2 3', a message of kind 2 arrived while the channel was OPEN",
        "'0', a message of kind 0 arrived while the channel was OPEN",
        "'3 9 0 0', a REFUSE has the unknown ending 9",
        "'3 1 0 9 65', 'a REFUSE announces 9 bytes of text, but 1 arrived'",
    })
    void shouldSayWhatIsWrong(String messages, String reason) throws TransportException, SessionProtocolException {
        world.messenger(SimulatedSessions.options(new PeerIdentity("t", 2, 1), SECRET, CREDIT))
                .listen(HERE, peer -> far);
        UnauthenticatedPeer insider = letIn(1);
        for (String message : messages.split("/")) {
            insider.say(world, bytes(message));
        }
        assertThat(far.open).isFalse();
        assertThat(far.frames).isEmpty();
        assertThat(far.lastLoss().reason()).startsWith("worker 1 at memory:0: ").contains(reason);
        assertThat(far.lastLoss().refused()).isFalse();
        if (messages.charAt(0) != '3') {
            assertThat(insider.refusal()).startsWith("ERROR: ").contains(reason);
        }
    }

    @Test
    void shouldCloseTheChannelOfAPeerThatSendsBeyondItsCredit() throws TransportException, SessionProtocolException {
        world.messenger(SimulatedSessions.options(new PeerIdentity("t", 2, 1), SECRET, CREDIT))
                .listen(HERE, peer -> far);
        far.releasing = false;
        UnauthenticatedPeer insider = letIn(1);
        byte[] frame = new byte[1024];
        frame[0] = SessionProtocol.WHOLE;
        for (int i = 0; i < 5; i++) {
            insider.say(world, frame);
            assertThat(far.open).isTrue();
        }
        insider.say(world, frame);
        assertThat(far.open).isFalse();
        assertThat(far.lastLoss().reason()).contains("arrived without credit");
    }

    /** 64 GiB are announced; none of it may be allocated before it comes. */
    @Test
    void shouldTakeNoMemoryForWhatIsOnlyAnnounced() throws SessionProtocolException {
        List<FrameReceiver> all = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            FrameReceiver inbound = new FrameReceiver(CREDIT, 0);
            ByteBuffer first = ByteBuffer.allocate(5).putInt(Session.MAX_FRAME).put((byte) 1);
            assertThat(inbound.receive(SessionProtocol.FIRST, first.flip())).isNull();
            all.add(inbound);
        }
        assertThat(all).hasSize(1_000);
    }

    @Test
    void shouldTakeAFrameFromAPartOfABufferAndShowNoMoreOfIt() throws SessionProtocolException {
        ByteBuffer around =
                ByteBuffer.wrap(new byte[] {7, 7, 1, 2, 3, 7, 7}).position(2).limit(5);
        ByteBuffer frame = new FrameReceiver(CREDIT, 0).receive(SessionProtocol.WHOLE, around);
        assertThat(frame).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(frame.capacity()).isEqualTo(3);
    }

    @Test
    void shouldRefuseAnAccountThatTakesBackWhatItSaid() throws SessionProtocolException {
        FrameSender outbound = new FrameSender(new UnauthenticatedPeer.Sink(), 100);
        assertThat(outbound.offer(ByteBuffer.allocate(10))).isTrue();
        outbound.onAccount(account(1, 10, 110));
        for (long[] wrong : new long[][] {{0, 10, 110}, {1, 9, 110}, {2, 10, 110}, {1, 11, 110}, {1, 10, 109}}) {
            assertThatThrownBy(() -> outbound.onAccount(account(wrong[0], wrong[1], wrong[2])))
                    .as(Arrays.toString(wrong))
                    .isInstanceOf(SessionProtocolException.class);
        }
        outbound.onAccount(account(1, 10, 110));
    }

    /** Opens a channel as worker 1, with the right secret. */
    private UnauthenticatedPeer letIn(long channel) throws SessionProtocolException {
        UnauthenticatedPeer insider = new UnauthenticatedPeer(world).connect(world);
        Handshake handshake = handshake(channel);
        insider.say(world, handshake.hello().array());
        handshake.onHello(message(insider.heard.get(0)));
        insider.say(world, handshake.proof(CREDIT).array());
        handshake.onProof(message(insider.heard.get(1)));
        return insider;
    }

    private static Handshake handshake() {
        return handshake(1);
    }

    private static Handshake handshake(long channel) {
        return new Handshake(Role.CONNECTOR, new PeerIdentity("t", 1, 1), SECRET, new byte[Hello.NONCE_BYTES], channel);
    }

    private interface Parse {
        void run() throws SessionProtocolException;
    }

    private static void onlyProtocolExceptions(Parse parse) {
        try {
            parse.run();
        } catch (SessionProtocolException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }

    private static boolean isRefused(UnauthenticatedPeer unauthenticatedPeer) {
        return unauthenticatedPeer.heard.stream().anyMatch(bytes -> bytes[0] == SessionProtocol.REFUSE);
    }

    private static ByteBuffer message(byte[] bytes) {
        return ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    }

    private static ByteBuffer account(long frames, long bytes, long granted) {
        return ByteBuffer.allocate(24)
                .putLong(frames)
                .putLong(bytes)
                .putLong(granted)
                .flip();
    }

    /** Random bytes, or a message that makes sense, changed a little or not at all. */
    private byte[] any() {
        if (random.nextInt(4) == 0) {
            byte[] bytes = new byte[1 + random.nextInt(random.nextBoolean() ? 8 : 1024)];
            random.nextBytes(bytes);
            return bytes;
        }
        byte[] sample = KINDS[random.nextInt(KINDS.length)];
        byte[] bytes = Arrays.copyOf(sample, length(sample.length));
        for (int i = random.nextInt(3); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    private int length(int length) {
        return random.nextInt(4) > 0 ? length : Math.max(1, Math.min(1024, length + random.nextInt(-5, 6)));
    }

    private static byte[][] samples() {
        byte[] hello = new Hello(
                        Role.CONNECTOR, Hello.HMAC_SHA256, new byte[Hello.NONCE_BYTES], new PeerIdentity("t", 1, 1), 1)
                .encode();
        byte[] proof = new byte[37];
        proof[0] = SessionProtocol.PROOF;
        byte[] account = new byte[SessionProtocol.ACCOUNT_BYTES];
        account[0] = SessionProtocol.ACCOUNT;
        account[23] = 16;
        byte[] parts = bytes("5 0 0 0 5 1 2");
        return new byte[][] {
            hello,
            proof,
            account,
            parts,
            bytes("6 1"),
            bytes("7 1 2"),
            bytes("7 1 2 3"),
            bytes("4 1 2 3"),
            SessionProtocol.refuse(ChannelEnding.ERROR, "sorry").array()
        };
    }

    private static byte[] bytes(String numbers) {
        String[] each = numbers.trim().split(" ");
        byte[] bytes = new byte[each.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(each[i]);
        }
        return bytes;
    }
}
