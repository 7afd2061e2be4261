package io.updraft.transport.session;

import static io.updraft.transport.session.World.HERE;
import static io.updraft.transport.session.World.MILLI;
import static io.updraft.transport.session.World.SECRET;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many peers that connect and never authenticate. At most ten of them are allowed at a time, for 300 ms each. */
final class StrangersTest {

    private static final int MOST = 10;
    private static final int HANDSHAKE_MS = 300;
    private static final Peer SELF = new Peer("wordcount-1", 2, 1);
    private static final byte[] GARBAGE = {99, 1, 2, 3};

    private final World world = new World();
    private final Recorder near = new Recorder();
    private final Recorder far = new Recorder();

    @BeforeEach
    void listen() throws TransportException {
        world.messenger(options(100)).listen(HERE, peer -> peer.worker() == 1 ? far : new Recorder());
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
        List<Stranger> strangers = strangers(MOST);
        assertThat(strangers).allMatch(stranger -> stranger.closed == null);
        strangers.addAll(strangers(3));
        assertThat(closed(strangers)).containsExactly(0, 1, 2);
    }

    @Test
    void shouldLetInAPeerWhileStrangersFloodIt() {
        List<Stranger> strangers = strangers(MOST);
        world.messenger(1).connect(HERE, 2, near);
        for (int i = 0; !near.open; i++) {
            assertThat(i).as("rounds in which another stranger comes").isLessThan(MOST);
            strangers.addAll(strangers(1));
        }
        strangers.addAll(strangers(5 * MOST));
        world.settle();
        assertThat(near.open).isTrue();
        assertThat(far.open).isTrue();
        assertThat(near.losses).isEmpty();
        assertThat(open(strangers)).hasSize(MOST);
    }

    @Test
    void shouldCountThoseThatItHasRefusedUntilTheyAreGone() {
        List<Stranger> refused = strangers(MOST);
        refused.forEach(stranger -> stranger.say(world, GARBAGE));
        assertThat(refused).allMatch(stranger -> stranger.closed == null);
        List<Stranger> others = strangers(MOST);
        assertThat(refused).allMatch(stranger -> stranger.closed != null);
        assertThat(open(others)).hasSize(MOST);
    }

    @Test
    void shouldNotCountThoseThatHaveProvedWhoTheyAre() {
        List<Recorder> peers = new ArrayList<>();
        for (int worker = 10; worker < 10 + 2 * MOST; worker++) {
            Recorder peer = new Recorder();
            peers.add(peer);
            world.messenger(worker).connect(HERE, 2, peer);
            world.settle();
        }
        strangers(2 * MOST);
        assertThat(peers).allMatch(peer -> peer.open && peer.losses.isEmpty());
    }

    @Test
    void shouldForgetThoseThatLeaveByThemselves() {
        List<Stranger> first = strangers(MOST);
        first.subList(1, MOST).forEach(stranger -> stranger.channel.close());
        world.settle();
        strangers(MOST - 1);
        assertThat(first.get(0).closed).isNull();
    }

    @Test
    void shouldCloseAHandshakeThatTakesTooLongThoughSilenceMayLastLonger() {
        List<Stranger> strangers = strangers(3);
        world.pass(HANDSHAKE_MS - 50);
        assertThat(closed(strangers)).isEmpty();
        world.pass(100);
        assertThat(closed(strangers)).containsExactly(0, 1, 2);
    }

    @Test
    void shouldCloseAHandshakeThatTakesTooLongThoughHeartbeatsAreRarer() throws Exception {
        World slow = new World();
        slow.messenger(options(10 * HANDSHAKE_MS)).listen(HERE, peer -> far);
        Stranger stranger = new Stranger(slow).connect(slow);
        slow.pass(HANDSHAKE_MS + 50);
        assertThat(stranger.closed).isNotNull();
    }

    @Test
    void shouldGiveUpAListenerThatDoesNotAnswerThoughHeartbeatsAreRarer() throws Exception {
        World slow = new World();
        Stranger mute = new Stranger(slow);
        mute.transport().bind(HERE, () -> mute);
        slow.messenger(options(10 * HANDSHAKE_MS)).connect(HERE, 3, near);
        slow.settle();
        assertThat(mute.heard).as("its hello").hasSize(1);
        slow.pass(HANDSHAKE_MS + 50);
        assertThat(mute.closed).isNotNull();
    }

    private List<Stranger> strangers(int count) {
        List<Stranger> strangers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            strangers.add(new Stranger(world).connect(world));
        }
        return strangers;
    }

    private static List<Integer> closed(List<Stranger> strangers) {
        return IntStream.range(0, strangers.size())
                .filter(i -> strangers.get(i).closed != null)
                .boxed()
                .toList();
    }

    private static List<Stranger> open(List<Stranger> strangers) {
        return strangers.stream().filter(stranger -> stranger.closed == null).toList();
    }
}
