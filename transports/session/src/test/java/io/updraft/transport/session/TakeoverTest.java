package io.updraft.transport.session;

import static io.updraft.transport.session.SimulatedSessions.HERE;
import static io.updraft.transport.session.SimulatedSessions.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.TransportException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A worker that comes back while the listener thinks that it is still there. */
final class TakeoverTest {

    private final SimulatedSessions world = new SimulatedSessions();
    private final SessionRecorder near = new SessionRecorder();
    private final List<SessionRecorder> accepted = new ArrayList<>();
    private boolean sameHandler;

    @BeforeEach
    void listen() throws TransportException {
        messenger(2, 1).listen(HERE, peer -> {
            if (!sameHandler || accepted.isEmpty()) {
                accepted.add(new SessionRecorder());
            }
            return accepted.get(accepted.size() - 1);
        });
    }

    @Test
    void shouldPreferTheNewerChannelToAHalfOpenOne() {
        messenger(1, 1).connect(HERE, 2, near);
        world.settle();
        loseOnTheConnectorsSideOnly();
        world.passUntil(() -> near.opened == 2);

        assertThat(accepted).hasSize(2);
        assertThat(accepted.get(0).lastLoss().reason()).contains("a newer channel of the same worker");
        assertThat(accepted.get(0).lastLoss().refused()).isFalse();
        assertThat(accepted.get(1).open).isTrue();
        world.pass(2_000);
        assertThat(near.losses).hasSize(1);
        assertThat(accepted.get(1).losses).isEmpty();
    }

    @Test
    void shouldEndTheOldChannelOfASessionThatGoesOnBeforeItOpensTheNewOne() {
        sameHandler = true;
        messenger(1, 1).connect(HERE, 2, near);
        world.settle();
        Session session = accepted.get(0).session;
        accepted.get(0).releasing = false;
        near.session.offer(ByteBuffer.allocate(1000));
        world.settle();
        loseOnTheConnectorsSideOnly();
        world.passUntil(() -> near.opened == 2);

        assertThat(accepted).hasSize(1);
        assertThat(accepted.get(0).session).isSameAs(session);
        assertThat(accepted.get(0).opened).isEqualTo(2);
        assertThat(accepted.get(0).losses).hasSize(1);
        session.release(1000);
    }

    @Test
    void shouldRefuseAnOlderChannelWhoseProofComesLate() throws SessionProtocolException {
        UnauthenticatedPeer older = new UnauthenticatedPeer(world).connect(world);
        Handshake handshake =
                new Handshake(Role.CONNECTOR, new PeerIdentity("t", 1, 1), SECRET, new byte[Hello.NONCE_BYTES], 0);
        older.say(world, handshake.hello().array());
        handshake.onHello(ByteBuffer.wrap(older.heard.get(0)).position(1));
        messenger(1, 1).connect(HERE, 2, near);
        world.settle();
        assertThat(near.open).isTrue();

        older.say(world, handshake.proof(4096).array());
        assertThat(older.refusal()).startsWith("REFUSED").contains("is older than the current one");
        assertThat(near.losses).isEmpty();
        assertThat(accepted).hasSize(1);
    }

    @Test
    void shouldLetANewerIncarnationTakeOver() {
        messenger(1, 1).connect(HERE, 2, near);
        world.settle();
        SessionRecorder restarted = new SessionRecorder();
        messenger(1, 2).connect(HERE, 2, restarted);
        world.settle();
        assertThat(restarted.open).isTrue();
        assertThat(near.open).isFalse();
        assertThat(accepted.get(1).session.peer().incarnation()).isEqualTo(2);

        world.pass(3_000);
        assertThat(restarted.losses)
                .as("the old one keeps trying, and is refused")
                .isEmpty();
        assertThat(near.lastLoss().refused()).isTrue();
        assertThat(near.lastLoss().reason()).contains("incarnation 1").contains("incarnation 2");
    }

    @Test
    void shouldRefuseAnOlderIncarnationEvenWhenTheNewerOneIsGone() {
        Messenger newer = messenger(1, 7);
        newer.connect(HERE, 2, near);
        world.settle();
        newer.close();
        world.messengers.remove(newer);
        world.settle();
        SessionRecorder older = new SessionRecorder();
        messenger(1, 6).connect(HERE, 2, older);
        world.settle();
        assertThat(older.opened).isZero();
        assertThat(older.lastLoss().refused()).isTrue();
    }

    @Test
    void shouldRefuseAListenerThatIsOlderThanTheOneBefore() throws TransportException {
        messenger(1, 1).connect(HERE, 2, near);
        world.settle();
        world.messengers.remove(0).close();
        SessionRecorder older = new SessionRecorder();
        messenger(2, 0).listen(HERE, peer -> older);
        world.passUntil(() -> near.losses.size() == 2);
        assertThat(near.opened).isEqualTo(1);
        assertThat(near.lastLoss().reason()).contains("older than the previous incarnation");
        assertThat(near.lastLoss().refused()).isTrue();
    }

    @Test
    void shouldTellARestartedListenerFromTheOneBefore() throws TransportException {
        messenger(1, 1).connect(HERE, 2, near);
        world.settle();
        world.messengers.remove(0).close();
        messenger(2, 5).listen(HERE, peer -> new SessionRecorder());
        world.passUntil(() -> near.opened == 2);
        assertThat(near.session.peer().incarnation()).isEqualTo(5);
    }

    /** The connector gives up the channel, of which the listener hears nothing. */
    private void loseOnTheConnectorsSideOnly() {
        world.network.lastConnection().toListener().deliver(0);
        world.network.lastConnection().toConnector().inject(new byte[] {99});
        world.settle();
        assertThat(near.losses).hasSize(1);
        assertThat(accepted.get(0).losses).isEmpty();
    }

    private Messenger messenger(int worker, long incarnation) {
        return world.messenger(SimulatedSessions.options(new PeerIdentity("t", worker, incarnation), SECRET, 4096));
    }
}
