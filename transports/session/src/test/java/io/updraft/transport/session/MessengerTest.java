package io.updraft.transport.session;

import static io.updraft.transport.session.SimulatedSessions.HERE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two workers, one that connects and one that listens. */
final class MessengerTest {

    private final SimulatedSessions world = new SimulatedSessions();
    private final SessionRecorder near = new SessionRecorder();
    private final SessionRecorder far = new SessionRecorder();
    private Messenger connector;
    private Session session;

    @BeforeEach
    void connect() throws TransportException {
        world.messenger(2).listen(HERE, peer -> far);
        connector = world.messenger(1);
        session = connector.connect(HERE, 2, near);
        world.settle();
    }

    @Test
    void shouldOpenOnBothSidesAndKnowWhoIsThere() {
        assertThat(near.session).isSameAs(session);
        assertThat(session.isOpen()).isTrue();
        assertThat(session.peer()).isEqualTo(new PeerIdentity("wordcount-1", 2, 1));
        assertThat(far.session.peer()).isEqualTo(new PeerIdentity("wordcount-1", 1, 1));
    }

    @Test
    void shouldCarryFramesBothWays() {
        assertThat(offer(session, bytes(10, 1))).isTrue();
        assertThat(offer(far.session, bytes(1, 2))).isTrue();
        world.settle();
        assertThat(far.frames).containsExactly(bytes(10, 1));
        assertThat(near.frames).containsExactly(bytes(1, 2));
    }

    /** A worker listens before its engine knows the other workers. Nothing is refused then. */
    @Test
    void shouldConnectAgainToAPeerThatIsNotReadyYet() throws Exception {
        Address elsewhere = new Address("127.0.0.1", 7002);
        AtomicBoolean ready = new AtomicBoolean();
        SessionRecorder receiver = new SessionRecorder();
        SessionRecorder sender = new SessionRecorder();
        world.messenger(3).listen(elsewhere, peer -> {
            if (!ready.get()) {
                throw new NotReadyException("worker 3 is still starting");
            }
            return receiver;
        });
        Session early = connector.connect(elsewhere, 3, sender);
        world.settle();
        world.pass(1000);
        assertThat(early.isOpen()).isFalse();
        ready.set(true);
        world.passUntil(early::isOpen);
        assertThat(sender.losses).isEmpty();
    }

    @Test
    void shouldJoinFramesThatAreLongerThanAMessage() {
        for (int length : new int[] {1022, 1023, 1024, 1025, 2041, 2042, 2043, 100_000, 3}) {
            byte[] frame = bytes(length, length);
            assertThat(offer(session, frame)).as("%d bytes", length).isTrue();
            world.settle();
            assertThat(far.frames.get(far.frames.size() - 1)).isEqualTo(frame);
        }
    }

    @Test
    void shouldRefuseFramesWithoutBytesOrWithTooMany() {
        assertThatThrownBy(() -> offer(session, new byte[0])).hasMessageContaining("0 bytes");
        assertThatThrownBy(() -> session.offer(ByteBuffer.allocate(Session.MAX_FRAME + 1)))
                .hasMessageContaining("67108865 bytes");
        assertThat(session.isOpen()).isTrue();
    }

    @Test
    void shouldTakeNoFrameWithoutCreditAndAskAgainWhenThereIsSome() {
        far.releasing = false;
        assertThat(offer(session, bytes(4000, 1))).isTrue();
        assertThat(offer(session, bytes(4000, 2))).as("overdraws by one frame").isTrue();
        ByteBuffer third = ByteBuffer.wrap(bytes(10, 3));
        assertThat(session.offer(third)).isFalse();
        assertThat(third.position()).isZero();
        world.pass(500);
        assertThat(far.frames).hasSize(2);
        assertThat(near.writable).isZero();

        far.session.release(8000);
        world.settle();
        assertThat(near.writable).isPositive();
        assertThat(session.offer(third)).isTrue();
    }

    @Test
    void shouldAskAgainWhenAChannelThatWasFullHasRoom() throws TransportException {
        Address elsewhere = new Address("127.0.0.1", 7002);
        SessionRecorder sender = new SessionRecorder();
        int credit = 1024 * 1024;
        world.messenger(SimulatedSessions.options(new PeerIdentity("t", 2, 1), SimulatedSessions.SECRET, credit))
                .listen(elsewhere, peer -> far);
        far.open = false;
        Session to = world.messenger(
                        SimulatedSessions.options(new PeerIdentity("t", 1, 1), SimulatedSessions.SECRET, credit))
                .connect(elsewhere, 2, sender);
        world.settle();
        world.network.lastConnection().toListener().deliver(0);
        int taken = 0;
        while (offer(to, bytes(1000, taken))) {
            taken++;
        }
        assertThat(taken)
                .as("frames of 1,000 bytes for a channel that holds 16 KiB")
                .isBetween(15, 25);
        assertThat(sender.writable).isZero();
        world.network.lastConnection().toListener().deliver(Integer.MAX_VALUE);
        world.settle();
        assertThat(sender.writable).isEqualTo(1);
        assertThat(offer(to, bytes(1000, taken))).isTrue();
    }

    @Test
    void shouldTellOfCreditInHalves() {
        AtomicInteger reported = new AtomicInteger();
        world.network.lastConnection().toConnector().tamper(message -> {
            reported.incrementAndGet();
            return message;
        });
        for (int i = 0; i < 40; i++) {
            assertThat(offer(session, bytes(100, i))).isTrue();
            session.flush();
            world.settle();
        }
        assertThat(far.frames).hasSize(40);
        assertThat(reported).as("4,000 bytes of a credit of 4,096").hasValue(1);
    }

    @Test
    void shouldRefuseToReleaseMoreThanItHolds() {
        assertThatThrownBy(() -> session.release(1)).hasMessageContaining("holds only 0");
    }

    @Test
    void shouldCountWhatItHoldsAgainstTheCreditOfTheNextChannel() {
        far.releasing = false;
        offer(session, bytes(4000, 1));
        world.settle();
        world.network.lastConnection().cut();
        world.passUntil(() -> near.opened == 2);

        assertThat(far.opened).isEqualTo(2);
        assertThat(offer(session, bytes(97, 2))).isTrue();
        assertThat(offer(session, bytes(1, 3))).as("4,097 bytes are held").isFalse();
        world.settle();
        far.session.release(4097);
        world.settle();
        assertThat(offer(session, bytes(1, 3))).isTrue();
    }

    @Test
    void shouldReportNothingLostThatThePeerHasAcknowledged() {
        for (int i = 0; i < 10; i++) {
            offer(session, bytes(100, i));
        }
        world.pass(300);
        offer(session, bytes(7, 11));
        world.network.lastConnection().cut();
        world.settle();
        assertThat(near.lastLoss()).isEqualTo(new SessionLoss(near.lastLoss().reason(), 1, 7, false));
        assertThat(near.lastLoss().reason()).isEqualTo("worker 2 at 127.0.0.1:7001: the connection was reset");
    }

    @Test
    void shouldReconnectAfterACutAndGoOn() {
        world.network.lastConnection().cut();
        world.passUntil(() -> near.opened == 2 && far.opened == 2);
        assertThat(near.losses).hasSize(1);
        assertThat(far.losses).hasSize(1);
        assertThat(session.isOpen()).isTrue();
        offer(session, bytes(5, 1));
        world.settle();
        assertThat(far.frames).containsExactly(bytes(5, 1));
    }

    @Test
    void shouldNoticeAPeerThatIsGoneWithoutAWord() {
        world.network.lastConnection().halfOpen();
        world.pass(950);
        assertThat(session.isOpen()).isTrue();
        world.pass(100);
        assertThat(near.losses).hasSize(1);
        assertThat(near.lastLoss().reason()).contains("no message from the peer for 1000 ms");
        assertThat(far.losses).hasSize(1);
        world.passUntil(() -> near.opened == 2 && far.opened == 2);
    }

    @Test
    void shouldKeepASessionOverWhichNothingIsSent() {
        world.pass(5_000);
        assertThat(near.losses).isEmpty();
        assertThat(far.losses).isEmpty();
    }

    @Test
    void shouldNotBlamePeersForTimeInWhichItWasItselfHeldUp() {
        world.now += 10_000 * SimulatedSessions.MILLI;
        world.settle();
        world.pass(200);
        assertThat(near.losses).isEmpty();
        assertThat(far.losses).isEmpty();
    }

    @Test
    void shouldDeliverWhatWasTakenBeforeItWasClosed() {
        offer(session, bytes(5, 1));
        session.close();
        session.close();
        assertThat(session.isOpen()).isFalse();
        assertThat(near.losses).as("handlers are called from within doWork").isEmpty();
        world.settle();
        assertThat(far.frames).hasSize(1);
        assertThat(far.lastLoss().reason()).contains("closed the session");
        assertThat(far.lastLoss().refused()).isFalse();
        assertThat(near.losses).hasSize(1);
        world.pass(3_000);
        assertThat(near.opened).isEqualTo(1);
        assertThat(world.network.connections()).hasSize(1);
    }

    @Test
    void shouldDeliverWhatWasStillUnsentWhenItWasClosed() throws TransportException {
        SessionRecorder receiver = new SessionRecorder();
        Session to = connectWithMuchCredit(new SessionRecorder(), receiver);
        world.network.lastConnection().toListener().deliver(0);
        for (int i = 0; i < 12; i++) {
            assertThat(offer(to, bytes(1000, i))).isTrue();
        }
        to.flush();
        assertThat(world.network.lastConnection().toListener().unsent()).isPositive();
        to.close();
        world.settle();
        world.network.lastConnection().toListener().deliver(Integer.MAX_VALUE);
        world.settle();
        assertThat(receiver.frames).hasSize(12);
        assertThat(receiver.lastLoss().reason()).contains("closed the session");
    }

    @Test
    void shouldLetThePeerComeBackAfterTheListenerClosedTheSession() {
        far.session.close();
        world.passUntil(() -> near.opened == 2);
        assertThat(far.session.isOpen()).isTrue();
    }

    @Test
    void shouldStopTryingWhenClosedDuringAPause() {
        world.network.refuse(HERE, true);
        world.network.lastConnection().cut();
        world.settle();
        session.close();
        world.network.refuse(HERE, false);
        world.pass(3_000);
        assertThat(near.opened).isEqualTo(1);
    }

    @Test
    void shouldKeepTryingWhileNobodyListens() {
        world.network.refuse(HERE, true);
        world.network.lastConnection().cut();
        world.pass(2_000);
        assertThat(near.losses).hasSize(1);
        world.network.refuse(HERE, false);
        world.passUntil(() -> near.opened == 2);
    }

    @Test
    void shouldCloseAChannelWhoseHandlerFails() {
        near.beforeFrame = () -> {
            throw new IllegalStateException("no good");
        };
        offer(far.session, bytes(1, 1));
        world.settle();
        assertThat(near.lastLoss().reason()).contains("a handler threw").contains("no good");
        assertThat(far.lastLoss().reason()).contains("no good");
        world.passUntil(() -> near.opened == 2 && far.opened == 2);
    }

    @Test
    void shouldGiveBackTheCreditOfAFrameWhoseHandlerFailed() {
        near.beforeFrame = () -> {
            throw new IllegalStateException("no good");
        };
        for (int i = 0; i < 5; i++) {
            assertThat(offer(far.session, bytes(4096, i))).as("frame %d", i).isTrue();
            int opened = near.opened;
            world.passUntil(() -> near.opened > opened && far.open);
        }
    }

    @Test
    void shouldStartPausesAnewAfterTheSessionWasOpenForAWhile() {
        outage(3_000);
        world.pass(450);
        world.network.lastConnection().cut();
        int before = world.network.connections().size();
        world.pass(110); // a first pause is 50 to 100 ms, and looked at in steps of 6 ms
        assertThat(world.network.connections()).hasSize(before + 1);
    }

    @Test
    void shouldGoOnWithLongPausesWhenTheSessionIsLostAgainAtOnce() {
        outage(3_000);
        int quick = 0;
        for (int i = 0; i < 20; i++) {
            world.network.lastConnection().cut();
            int before = world.network.connections().size();
            world.pass(110);
            quick += world.network.connections().size() - before;
            world.passUntil(() -> near.open && far.open);
        }
        assertThat(quick).as("of 20 pauses of 50 to 400 ms, those up to 110 ms").isLessThan(10);
    }

    @Test
    void shouldTakeTheLongestTopologyIdThatOptionsAllow() throws TransportException {
        String id = "t".repeat(MessengerOptions.MAX_TOPOLOGY_ID_BYTES);
        Address elsewhere = new Address("127.0.0.1", 7002);
        SessionRecorder there = new SessionRecorder();
        world.messenger(SimulatedSessions.options(new PeerIdentity(id, 2, 1), SimulatedSessions.SECRET, 1))
                .listen(elsewhere, peer -> there);
        world.messenger(SimulatedSessions.options(new PeerIdentity(id, 1, 1), SimulatedSessions.SECRET, 1))
                .connect(elsewhere, 2, new SessionRecorder());
        world.settle();
        assertThat(there.open).isTrue();
        assertThatThrownBy(
                        () -> MessengerOptions.of(Map.of(), new PeerIdentity(id + "t", 1, 1), SimulatedSessions.SECRET))
                .hasMessageContaining("longer than 512 bytes");
    }

    @Test
    void shouldKeepInOrderWhatDoesNotFitIntoTheChannelAtOnce() {
        world.network.lastConnection().toListener().deliver(0);
        byte[] frame = bytes(100_000, 1);
        assertThat(offer(session, frame)).isTrue();
        Arrays.fill(frame, (byte) 0); // it was taken, so this is nobody's business
        assertThat(world.network.lastConnection().toListener().unsent()).isLessThan(17 * 1024);
        world.network.lastConnection().toListener().deliver(1);
        world.settle();
        assertThat(far.frames).containsExactly(bytes(100_000, 1));
    }

    @Test
    void shouldSendAFrameOf64MiBWhateverTheCredit() {
        byte[] frame = bytes(Session.MAX_FRAME, 9);
        assertThat(offer(session, frame)).isTrue();
        assertThat(offer(session, bytes(1, 1))).as("one frame may overdraw").isFalse();
        world.settle();
        assertThat(far.frames).hasSize(1);
        assertThat(Arrays.equals(far.frames.get(0), frame)).isTrue();
        assertThat(offer(session, bytes(1, 1))).isTrue();
    }

    /** So that it is the channel that fills up, which holds 16 KiB and has 8 KiB under way. */
    private Session connectWithMuchCredit(SessionRecorder sender, SessionRecorder receiver) throws TransportException {
        Address elsewhere = new Address("127.0.0.1", 7002);
        int credit = 1024 * 1024;
        world.messenger(SimulatedSessions.options(new PeerIdentity("t", 2, 1), SimulatedSessions.SECRET, credit))
                .listen(elsewhere, peer -> receiver);
        Session to = world.messenger(
                        SimulatedSessions.options(new PeerIdentity("t", 1, 1), SimulatedSessions.SECRET, credit))
                .connect(elsewhere, 2, sender);
        world.settle();
        return to;
    }

    private void outage(int millis) {
        world.network.refuse(HERE, true);
        world.network.lastConnection().cut();
        world.pass(millis);
        world.network.refuse(HERE, false);
        world.passUntil(() -> near.open && far.open);
    }

    private static boolean offer(Session session, byte[] frame) {
        return session.offer(ByteBuffer.wrap(frame));
    }

    private static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
