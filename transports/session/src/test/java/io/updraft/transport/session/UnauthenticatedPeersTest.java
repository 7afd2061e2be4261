package io.updraft.transport.session;

import static io.updraft.transport.session.SimulatedSessions.HERE;
import static io.updraft.transport.session.SimulatedSessions.MILLI;
import static io.updraft.transport.session.SimulatedSessions.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many peers that connect and never authenticate. At most ten of them are allowed at a time, for 300 ms each. */
final class UnauthenticatedPeersTest {

    private static final int MOST = 10;
    private static final int HANDSHAKE_MS = 300;
    private static final PeerIdentity SELF = new PeerIdentity("wordcount-1", 2, 1);
    private static final byte[] GARBAGE = {99, 1, 2, 3};

    private final SimulatedSessions world = new SimulatedSessions();
    private final SessionRecorder near = new SessionRecorder();
    private final SessionRecorder far = new SessionRecorder();

    @BeforeEach
    void listen() throws TransportException {
        world.messenger(options(100)).listen(HERE, peer -> peer.worker() == 1 ? far : new SessionRecorder());
    }

    private static MessengerOptions options(int heartbeatMillis) {
        return new MessengerOptions(
                SELF,
                SECRET,
                false,
                4096,
                heartbeatMillis * MILLI,
                100 * heartbeatMillis * MILLI,
                HANDSHAKE_MS * MILLI,
                MOST,
                50 * MILLI,
                400 * MILLI,
                1);
    }

    @Test
    void shouldCloseTheOldestForOneMore() {
        List<UnauthenticatedPeer> unauthenticatedPeers = unauthenticatedPeers(MOST);
        assertThat(unauthenticatedPeers).allMatch(unauthenticatedPeer -> unauthenticatedPeer.closed == null);
        unauthenticatedPeers.addAll(unauthenticatedPeers(3));
        assertThat(closed(unauthenticatedPeers)).containsExactly(0, 1, 2);
    }

    @Test
    void shouldLetInAPeerWhileStrangersFloodIt() {
        List<UnauthenticatedPeer> unauthenticatedPeers = unauthenticatedPeers(MOST);
        world.messenger(1).connect(HERE, 2, near);
        for (int i = 0; !near.open; i++) {
            assertThat(i)
                    .as("rounds in which another unauthenticated peer comes")
                    .isLessThan(MOST);
            unauthenticatedPeers.addAll(unauthenticatedPeers(1));
        }
        unauthenticatedPeers.addAll(unauthenticatedPeers(5 * MOST));
        world.settle();
        assertThat(near.open).isTrue();
        assertThat(far.open).isTrue();
        assertThat(near.losses).isEmpty();
        assertThat(open(unauthenticatedPeers)).hasSize(MOST);
    }

    @Test
    void shouldCountThoseThatItHasRefusedUntilTheyAreGone() {
        List<UnauthenticatedPeer> refused = unauthenticatedPeers(MOST);
        refused.forEach(unauthenticatedPeer -> unauthenticatedPeer.say(world, GARBAGE));
        assertThat(refused).allMatch(unauthenticatedPeer -> unauthenticatedPeer.closed == null);
        List<UnauthenticatedPeer> others = unauthenticatedPeers(MOST);
        assertThat(refused).allMatch(unauthenticatedPeer -> unauthenticatedPeer.closed != null);
        assertThat(open(others)).hasSize(MOST);
    }

    @Test
    void shouldNotCountThoseThatHaveProvedWhoTheyAre() {
        List<SessionRecorder> peers = new ArrayList<>();
        for (int worker = 10; worker < 10 + 2 * MOST; worker++) {
            SessionRecorder peer = new SessionRecorder();
            peers.add(peer);
            world.messenger(worker).connect(HERE, 2, peer);
            world.settle();
        }
        unauthenticatedPeers(2 * MOST);
        assertThat(peers).allMatch(peer -> peer.open && peer.losses.isEmpty());
    }

    @Test
    void shouldForgetThoseThatLeaveByThemselves() {
        List<UnauthenticatedPeer> first = unauthenticatedPeers(MOST);
        first.subList(1, MOST).forEach(unauthenticatedPeer -> unauthenticatedPeer.channel.close());
        world.settle();
        unauthenticatedPeers(MOST - 1);
        assertThat(first.get(0).closed).isNull();
    }

    @Test
    void shouldCloseAHandshakeThatTakesTooLongThoughSilenceMayLastLonger() {
        List<UnauthenticatedPeer> unauthenticatedPeers = unauthenticatedPeers(3);
        world.pass(HANDSHAKE_MS - 50);
        assertThat(closed(unauthenticatedPeers)).isEmpty();
        world.pass(100);
        assertThat(closed(unauthenticatedPeers)).containsExactly(0, 1, 2);
    }

    @Test
    void shouldCloseAHandshakeThatTakesTooLongThoughHeartbeatsAreRarer() throws Exception {
        SimulatedSessions slow = new SimulatedSessions();
        slow.messenger(options(10 * HANDSHAKE_MS)).listen(HERE, peer -> far);
        UnauthenticatedPeer unauthenticatedPeer = new UnauthenticatedPeer(slow).connect(slow);
        slow.pass(HANDSHAKE_MS + 50);
        assertThat(unauthenticatedPeer.closed).isNotNull();
    }

    @Test
    void shouldGiveUpAListenerThatDoesNotAnswerThoughHeartbeatsAreRarer() throws Exception {
        SimulatedSessions slow = new SimulatedSessions();
        UnauthenticatedPeer mute = new UnauthenticatedPeer(slow);
        mute.transport().bind(HERE, () -> mute);
        slow.messenger(options(10 * HANDSHAKE_MS)).connect(HERE, 3, near);
        slow.settle();
        assertThat(mute.heard).as("its hello").hasSize(1);
        slow.pass(HANDSHAKE_MS + 50);
        assertThat(mute.closed).isNotNull();
    }

    private List<UnauthenticatedPeer> unauthenticatedPeers(int count) {
        List<UnauthenticatedPeer> unauthenticatedPeers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            unauthenticatedPeers.add(new UnauthenticatedPeer(world).connect(world));
        }
        return unauthenticatedPeers;
    }

    private static List<Integer> closed(List<UnauthenticatedPeer> unauthenticatedPeers) {
        return IntStream.range(0, unauthenticatedPeers.size())
                .filter(i -> unauthenticatedPeers.get(i).closed != null)
                .boxed()
                .toList();
    }

    private static List<UnauthenticatedPeer> open(List<UnauthenticatedPeer> unauthenticatedPeers) {
        return unauthenticatedPeers.stream()
                .filter(unauthenticatedPeer -> unauthenticatedPeer.closed == null)
                .toList();
    }
}
