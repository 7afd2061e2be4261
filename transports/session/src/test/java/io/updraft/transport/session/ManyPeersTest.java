package io.updraft.transport.session;

import static io.updraft.transport.session.SimulatedSessions.HERE;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.TransportException;
import io.updraft.transport.memory.MemoryConnection;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two thousand sessions of one messenger. */
final class ManyPeersTest {

    private static final int PEERS = 2_000;

    private final SimulatedSessions world = new SimulatedSessions();
    private final Map<Integer, SessionRecorder> inHub = new HashMap<>();
    private final List<SessionRecorder> peers = new ArrayList<>();
    private final List<Session> sessions = new ArrayList<>();

    @BeforeEach
    void connectAll() throws TransportException {
        world.messenger(0).listen(HERE, peer -> inHub.computeIfAbsent(peer.worker(), worker -> new SessionRecorder()));
        for (int worker = 1; worker <= PEERS; worker++) {
            SessionRecorder recorder = new SessionRecorder();
            peers.add(recorder);
            sessions.add(world.messenger(worker).connect(HERE, 0, recorder));
        }
        world.settle();
        assertThat(peers).allMatch(recorder -> recorder.open);
        assertThat(inHub).hasSize(PEERS);
    }

    @Test
    void shouldCarryFramesOfAllToAllAndKeepThemAlive() {
        for (int worker = 1; worker <= PEERS; worker++) {
            assertThat(sessions.get(worker - 1).offer(number(worker))).isTrue();
            assertThat(inHub.get(worker).session.offer(number(-worker))).isTrue();
        }
        world.pass(1_100);
        for (int worker = 1; worker <= PEERS; worker++) {
            assertThat(inHub.get(worker).frames).containsExactly(number(worker).array());
            assertThat(peers.get(worker - 1).frames)
                    .containsExactly(number(-worker).array());
        }
        assertThat(peers).allMatch(recorder -> recorder.losses.isEmpty());
    }

    @Test
    void shouldDelayOnlyWhatGoesToAPeerThatStandsStill() {
        MemoryConnection stopped = world.network.connections().get(41);
        stopped.toConnector().deliver(0);
        Session toStopped = inHub.get(42).session;
        int taken = 0;
        while (toStopped.offer(ByteBuffer.allocate(500))) {
            taken++;
        }
        assertThat(taken).as("frames of 500 bytes for a credit of 4,096").isEqualTo(9);
        assertThat(stopped.toConnector().unsent() + stopped.toConnector().underWay())
                .as("bytes held for it")
                .isLessThan(6_000);
        for (int worker = 1; worker <= PEERS; worker++) {
            if (worker != 42) {
                assertThat(inHub.get(worker).session.offer(number(worker))).isTrue();
            }
        }
        world.settle();
        assertThat(peers).filteredOn(recorder -> recorder.frames.size() == 1).hasSize(PEERS - 1);
    }

    @Test
    void shouldSpreadTheReturnOfPeersThatLostTheHubAtOnce() {
        world.network.refuse(HERE, true);
        world.network.connections().forEach(MemoryConnection::cut);
        world.pass(1_000);
        int before = world.network.connections().size();
        world.network.refuse(HERE, false);
        List<Integer> back = new ArrayList<>();
        for (int slice = 0; slice < 8; slice++) {
            int soFar = world.network.connections().size();
            world.pass(50);
            back.add(world.network.connections().size() - soFar);
        }
        world.pass(100);
        assertThat(world.network.connections().size() - before).isEqualTo(PEERS);
        assertThat(back).as("in each of eight parts of the longest pause").allMatch(count -> count < PEERS / 2);
        assertThat(back.subList(0, 6)).allMatch(count -> count > PEERS / 100);
        assertThat(peers).allMatch(recorder -> recorder.open && recorder.opened == 2);
    }

    private static ByteBuffer number(int worker) {
        return ByteBuffer.allocate(4).putInt(worker).flip();
    }
}
