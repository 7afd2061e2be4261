package io.updraft.transport.session;

import static io.updraft.transport.session.SimulatedSessions.HERE;
import static io.updraft.transport.session.SimulatedSessions.SECRET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import io.updraft.transport.security.Credentials;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Peers that must be refused. */
final class SessionSecurityTest {

    private static final Credentials OTHER = Credentials.of("another secret, as long".getBytes(StandardCharsets.UTF_8));
    private static final int CREDIT = 4096;

    private final SimulatedSessions world = new SimulatedSessions();
    private final SessionRecorder near = new SessionRecorder();
    private final SessionRecorder far = new SessionRecorder();

    @Test
    void shouldRefuseAWrongSecret() throws TransportException {
        join(peer("t", 1), OTHER, peer("t", 2), SECRET);
        assertRefused("the proof is wrong");
    }

    @Test
    void shouldRefuseAPeerWithoutASecretWhereThereIsOne() throws TransportException {
        join(peer("t", 1), Credentials.NONE, peer("t", 2), SECRET);
        assertRefused("give both the same secret");
    }

    @Test
    void shouldRefuseToTalkToAPeerWithoutASecretWhenItHasOne() throws TransportException {
        join(peer("t", 1), SECRET, peer("t", 2), Credentials.NONE);
        assertRefused("give both the same secret");
    }

    @Test
    void shouldTalkWhenNeitherHasASecret() throws TransportException {
        join(peer("t", 1), Credentials.NONE, peer("t", 2), Credentials.NONE);
        assertThat(near.open).isTrue();
        assertThat(far.open).isTrue();
    }

    @Test
    void shouldRefuseAPeerOfAnotherTopology() throws TransportException {
        join(peer("mine", 1), SECRET, peer("theirs", 2), SECRET);
        assertRefused("belongs to topology 'mine', the other side to a different topology");
    }

    @Test
    void shouldRefuseAWorkerThatIsNotTheOneWanted() throws TransportException {
        join(peer("t", 1), SECRET, peer("t", 3), SECRET);
        assertRefused("expected worker 2 at 127.0.0.1:7001, but worker 3 answered");
    }

    @Test
    void shouldRefuseWorkersThatAreNotExpected() throws TransportException {
        List<PeerIdentity> asked = new ArrayList<>();
        world.messenger(2).listen(HERE, peer -> {
            asked.add(peer);
            return null;
        });
        world.messenger(1).connect(HERE, 2, near);
        world.settle();
        assertThat(asked).containsExactly(new PeerIdentity("wordcount-1", 1, 1));
        assertRefused("worker 1 is not expected at this listener");
    }

    @Test
    void shouldAskNobodyWhetherToAcceptAPeerThatProvedNothing() throws TransportException {
        List<PeerIdentity> asked = new ArrayList<>();
        messenger(peer("t", 2), SECRET).listen(HERE, peer -> {
            asked.add(peer);
            return far;
        });
        messenger(peer("t", 1), OTHER).connect(HERE, 2, near);
        world.pass(2_000);
        assertThat(asked).isEmpty();
        assertThat(near.opened).isZero();
    }

    @Test
    void shouldNameBothVersionsWhenTheyDiffer() throws TransportException, SessionProtocolException {
        world.messenger(2).listen(HERE, peer -> far);
        byte[] hello = hello(Role.CONNECTOR);
        hello[6] = 9;
        UnauthenticatedPeer unauthenticatedPeer = new UnauthenticatedPeer(world).connect(world);
        unauthenticatedPeer.say(world, hello);
        assertThat(unauthenticatedPeer.refusal())
                .startsWith("REFUSED")
                .contains("version 1")
                .contains("version 9");
    }

    @Test
    void shouldTellTheHandlerOfAnotherVersionAndSlowDown() throws TransportException {
        UnauthenticatedPeer unauthenticatedPeer = new UnauthenticatedPeer(world);
        unauthenticatedPeer.transport().bind(HERE, () -> unauthenticatedPeer);
        messenger(peer("wordcount-1", 1), SECRET).connect(HERE, 2, near);
        world.settle();
        byte[] hello = hello(Role.LISTENER);
        hello[6] = 9;
        unauthenticatedPeer.say(world, hello);
        assertRefused("version 1 of the session protocol, the other version 9");
    }

    @Test
    void shouldReportARefusalOnceHoweverOftenItTriesAgain() throws TransportException {
        join(peer("t", 1), OTHER, peer("t", 2), SECRET);
        world.pass(5_000);
        assertThat(world.network.connections()).hasSizeBetween(5, 100);
        assertThat(near.losses).hasSize(1);
    }

    @Test
    void shouldNotHurryBackWhereItWasRefused() throws TransportException {
        messenger(peer("t", 2), SECRET).listen(HERE, peer -> far);
        int peers = 50;
        for (int i = 0; i < peers; i++) {
            messenger(peer("t", 100 + i), OTHER).connect(HERE, 2, new SessionRecorder());
        }
        world.pass(75); // a first pause of 50 ms would be over, one of up to 400 ms seldom is
        assertThat(world.network.connections()).hasSizeBetween(peers + 1, 2 * peers - 10);
    }

    @Test
    void shouldGetInOnceTheReasonOfARefusalIsGone() throws TransportException {
        boolean[] expected = {false};
        world.messenger(2).listen(HERE, peer -> expected[0] ? far : null);
        world.messenger(1).connect(HERE, 2, near);
        world.pass(1_000);
        expected[0] = true;
        world.passUntil(() -> near.open && far.open);
    }

    @Test
    void shouldRefuseAHandshakeThatIsReplayed() throws TransportException, SessionProtocolException {
        List<byte[]> said = new ArrayList<>();
        world.network.watch(connection -> connection.toListener().tamper(message -> {
            said.add(message);
            return message;
        }));
        join(peer("t", 1), SECRET, peer("t", 2), SECRET);
        assertThat(far.opened).isEqualTo(1);
        assertThat(said).hasSize(2);
        world.network.watch(connection -> {});

        UnauthenticatedPeer replaying = new UnauthenticatedPeer(world).connect(world);
        replaying.say(world, said.get(0));
        assertThat(replaying.heard.get(0)[0]).isEqualTo(SessionProtocol.HELLO);
        replaying.say(world, said.get(1));
        assertThat(replaying.refusal()).startsWith("REFUSED: the proof is wrong");
        assertThat(far.opened).isEqualTo(1);
        assertThat(far.open).as("the session of the real one goes on").isTrue();
    }

    @Test
    void shouldRefuseAListenerThatReplaysAnother() throws TransportException {
        List<byte[]> said = new ArrayList<>();
        world.network.watch(connection -> connection.toConnector().tamper(message -> {
            said.add(message);
            return message;
        }));
        join(peer("t", 1), SECRET, peer("t", 2), SECRET);
        assertThat(said).hasSize(2);

        SimulatedSessions elsewhere = new SimulatedSessions();
        UnauthenticatedPeer replaying = new UnauthenticatedPeer(elsewhere);
        replaying.transport().bind(HERE, () -> replaying);
        SessionRecorder victim = new SessionRecorder();
        elsewhere
                .messenger(SimulatedSessions.options(peer("t", 1), SECRET, CREDIT))
                .connect(HERE, 2, victim);
        elsewhere.settle();
        replaying.say(elsewhere, said.get(0));
        replaying.say(elsewhere, said.get(1));
        assertThat(victim.opened).isZero();
        assertThat(victim.lastLoss().reason()).contains("the proof is wrong");
    }

    @Test
    void shouldRefuseItsOwnMessagesSentBack() throws TransportException {
        UnauthenticatedPeer mirror = new UnauthenticatedPeer(world);
        mirror.transport().bind(HERE, () -> mirror);
        messenger(peer("t", 1), SECRET).connect(HERE, 1, near);
        world.settle();
        mirror.say(world, mirror.heard.get(0));
        assertRefused("a HELLO has the wrong role");
    }

    @Test
    void shouldRefuseItsOwnMessagesSentBackInTheOtherRole() throws TransportException {
        UnauthenticatedPeer mirror = new UnauthenticatedPeer(world);
        mirror.transport().bind(HERE, () -> mirror);
        messenger(peer("t", 1), SECRET).connect(HERE, 1, near);
        world.settle();
        byte[] hello = mirror.heard.get(0).clone();
        hello[7] = Role.LISTENER.code();
        mirror.say(world, hello);
        assertRefused("the peer sent the nonce of this side back");
    }

    @Test
    void shouldRefuseItsOwnProofSentBack() throws TransportException {
        UnauthenticatedPeer mirror = new UnauthenticatedPeer(world);
        mirror.transport().bind(HERE, () -> mirror);
        messenger(peer("t", 1), SECRET).connect(HERE, 1, near);
        world.settle();
        byte[] hello = mirror.heard.get(0).clone();
        hello[7] = Role.LISTENER.code();
        hello[9] ^= 1; // another nonce
        mirror.say(world, hello);
        assertThat(mirror.heard).hasSize(2);
        mirror.say(world, mirror.heard.get(1));
        assertRefused("the proof is wrong");
    }

    /** Two channels to one victim, each used to answer the challenge of the other. */
    @Test
    void shouldRefuseAProofTakenFromAnotherChannel() throws TransportException, SessionProtocolException {
        messenger(peer("t", 2), SECRET).listen(HERE, peer -> far);
        Address there = new Address("127.0.0.1", 7002);
        UnauthenticatedPeer asListener = new UnauthenticatedPeer(world);
        asListener.transport().bind(there, () -> asListener);
        world.messengers.get(0).connect(there, 1, near);
        world.settle();

        UnauthenticatedPeer asConnector = new UnauthenticatedPeer(world).connect(world);
        asConnector.say(world, hello("t", Role.CONNECTOR));
        byte[] victims = asConnector.heard.get(0).clone();
        victims[7] = Role.LISTENER.code();
        System.arraycopy(hello("t", Role.LISTENER), 41, victims, 41, 4); // says that it is worker 1
        asListener.say(world, victims);
        assertThat(asListener.heard.get(1)[0]).isEqualTo(SessionProtocol.PROOF);
        asConnector.say(world, asListener.heard.get(1));
        assertThat(asConnector.refusal()).contains("the proof is wrong");
        assertThat(far.opened).isZero();
    }

    @Test
    void shouldNoticeWhateverIsChangedInAHandshakeOnItsWay() throws TransportException {
        messenger(peer("t", 2), SECRET).listen(HERE, peer -> far);
        messenger(peer("t", 1), SECRET).connect(HERE, 2, near);
        int[] position = {0};
        boolean[] toListener = {true};
        world.network.watch(connection ->
                (toListener[0] ? connection.toListener() : connection.toConnector()).tamper(new Flip(position[0])));
        // A hello of 64 bytes and a proof of 37.
        for (int i = 0; i < 2 * 101; i++) {
            position[0] = i / 2;
            toListener[0] = i % 2 == 0;
            int before = world.network.connections().size();
            world.passUntil(() -> world.network.connections().size() > before);
            world.settle();
            assertThat(near.opened).as("byte %d changed", position[0]).isZero();
        }
        world.network.watch(connection -> {});
        world.passUntil(() -> near.open && far.open);
    }

    @Test
    void shouldCloseAHandshakeThatTakesTooLong() throws TransportException {
        world.messenger(2).listen(HERE, peer -> far);
        UnauthenticatedPeer silent = new UnauthenticatedPeer(world).connect(world);
        UnauthenticatedPeer halfway = new UnauthenticatedPeer(world).connect(world);
        world.pass(900);
        halfway.say(world, hello(Role.CONNECTOR));
        world.pass(50);
        assertThat(silent.closed).isNull();
        assertThat(halfway.closed).isNull();
        world.pass(100);
        assertThat(silent.closed).isNotNull();
        assertThat(halfway.closed).isNotNull();
    }

    @Test
    void shouldNotListenToOthersWithoutASecret() throws TransportException {
        Messenger open = messenger(peer("t", 1), Credentials.NONE);
        for (String host : new String[] {"0.0.0.0", "10.1.2.3", "::"}) {
            assertThatThrownBy(() -> open.listen(new Address(host, 0), peer -> far))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("without a secret")
                    .hasMessageContaining(host)
                    .hasMessageNotContaining("\n");
        }
        open.listen(new Address("127.0.0.1", 0), peer -> far);
        open.listen(new Address("::1", 0), peer -> far);
        messenger(peer("t", 1), SECRET).listen(new Address("0.0.0.0", 0), peer -> far);
        MessengerOptions trusting = SimulatedSessions.options(peer("t", 1), Credentials.NONE, CREDIT);
        world.messenger(trusting.withAllowUnauthenticated(true)).listen(new Address("0.0.0.0", 0), peer -> far);
    }

    @Test
    void shouldBlankWhatCouldForgeALineOfALog() throws SessionProtocolException {
        ByteBuffer message = SessionProtocol.refuse(ChannelEnding.REFUSED, "no\n2026 INFO all is well\u2028\u0007");
        message.get();
        SessionProtocol.ending(message);
        assertThat(SessionProtocol.text(message)).isEqualTo("no 2026 INFO all is well  ");
    }

    /** Changes one byte of all that goes over a connection in one direction. */
    private static final class Flip implements java.util.function.UnaryOperator<byte[]> {

        private int left;

        Flip(int position) {
            left = position;
        }

        @Override
        public byte[] apply(byte[] message) {
            if (left >= 0 && left < message.length) {
                message[left] ^= 1;
            }
            left -= message.length;
            return message;
        }
    }

    private void join(PeerIdentity one, Credentials ones, PeerIdentity two, Credentials twos)
            throws TransportException {
        messenger(two, twos).listen(HERE, peer -> far);
        messenger(one, ones).connect(HERE, 2, near);
        world.settle();
    }

    private Messenger messenger(PeerIdentity self, Credentials credentials) {
        return world.messenger(SimulatedSessions.options(self, credentials, CREDIT));
    }

    private void assertRefused(String why) {
        assertThat(near.opened).isZero();
        assertThat(far.opened).isZero();
        assertThat(near.losses).hasSize(1);
        assertThat(near.lastLoss().refused()).isTrue();
        assertThat(near.lastLoss().frames()).isZero();
        assertThat(near.lastLoss().reason()).contains(why).startsWith("worker ").doesNotContain("\n");
    }

    private static PeerIdentity peer(String topology, int worker) {
        return new PeerIdentity(topology, worker, 1);
    }

    private static byte[] hello(Role role) {
        return hello("wordcount-1", role);
    }

    private static byte[] hello(String topology, Role role) {
        return new Hello(role, Hello.HMAC_SHA256, new byte[Hello.NONCE_BYTES], peer(topology, 1), 1).encode();
    }
}
