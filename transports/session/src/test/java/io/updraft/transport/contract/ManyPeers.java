package io.updraft.transport.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.transport.Address;
import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.session.Messenger;
import io.updraft.transport.session.Session;
import io.updraft.transport.session.SessionHandler;
import io.updraft.transport.session.SessionLoss;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A worker with very many peers, all of them on one thread; the peers share a transport. */
final class ManyPeers implements AutoCloseable {

    private static final int CREDIT = 64 * 1024;
    private static final int FRAME = 1_000;
    private static final int FRAMES = 20;
    private static final int VICTIM = 7;
    private static final long IDLE_NANOS = 500_000;

    private final ChaosContract contract;
    private final Transport shared;
    private final List<Messenger> peers = new ArrayList<>();
    private final List<End> atPeers = new ArrayList<>();
    private final Map<Integer, End> atHub = new HashMap<>();
    private Messenger hub;
    private Address at;
    private int incarnation;

    ManyPeers(ChaosContract contract, int many) throws Exception {
        this.contract = contract;
        shared = contract.patientTransport();
        at = contract.port();
        newHub();
        listen();
        for (int i = 0; i < many; i++) {
            End end = new End();
            atPeers.add(end);
            peers.add(new Messenger(new Shared(shared), ChaosContract.patient(i + 1, 1, CREDIT)));
            peers.get(i).connect(at, 0, end);
        }
        until("all have a session", () -> atPeers.stream().allMatch(end -> end.open));
    }

    private void newHub() throws TransportException {
        hub = new Messenger(contract.patientTransport(), ChaosContract.patient(0, ++incarnation, CREDIT));
        atHub.clear();
    }

    /** A port may stay taken for a moment. */
    private boolean listen() throws TransportException {
        try {
            at = hub.listen(at, peer -> atHub.computeIfAbsent(peer.worker(), worker -> new End()))
                    .address();
            return true;
        } catch (TransportException taken) {
            if (at.port() == 0) {
                throw taken;
            }
            return false;
        }
    }

    void shouldDelayOnlyAPeerThatStandsStill() throws Exception {
        End victim = atPeers.get(VICTIM - 1);
        victim.holding = true;
        End toVictim = atHub.get(VICTIM);
        // Before its credit is used up it may be refused for a moment, while the channel is full.
        until(
                "nothing more is taken for the one that stands still",
                () -> !toVictim.offer(FRAME) && toVictim.taken >= CREDIT);
        until("nothing is under way any more", () -> victim.bytes == toVictim.taken);
        assertThat(toVictim.taken).as("bytes taken").isBetween((long) CREDIT, CREDIT + (long) FRAME);
        until("all others have got all", () -> {
            atHub.values().stream()
                    .filter(end -> end != toVictim && end.taken < FRAMES * FRAME)
                    .forEach(end -> end.offer(FRAME));
            return atPeers.stream().filter(end -> end != victim).allMatch(end -> end.bytes == FRAMES * FRAME);
        });
        assertThat(toVictim.offer(FRAME))
                .as("taken for the one that still stands")
                .isFalse();
        victim.holding = false;
        victim.releaseAll();
        until("it goes on", () -> toVictim.offer(FRAME));
        until("it gets that too", () -> victim.bytes == toVictim.taken);
        assertThat(atPeers).allMatch(end -> end.losses == 0);
    }

    void shouldCarryTheLongestFrameBothWays() throws Exception {
        End near = atPeers.get(0);
        End far = atHub.get(1);
        ByteBuffer frame = ByteBuffer.allocate(Session.MAX_FRAME);
        for (End end : List.of(near, far)) {
            // The last words of the handshake may still fill a channel; one frame may overdraw the credit.
            until("it is taken", () -> end.offer(frame.clear()));
        }
        until("both are there", () -> near.bytes == Session.MAX_FRAME && far.bytes == Session.MAX_FRAME);
        assertThat(near.losses + far.losses).isZero();
    }

    void shouldComeBackWhenTheirWorkerReturns() throws Exception {
        hub.close();
        hub = null;
        until("all have lost it", () -> atPeers.stream().allMatch(end -> end.losses == 1));
        newHub();
        boolean[] listening = {false};
        until("the port can be had again", () -> {
            try {
                listening[0] = listening[0] || listen();
            } catch (TransportException impossible) {
                throw new AssertionError(impossible);
            }
            return listening[0];
        });
        until("all are back", () -> atPeers.stream().allMatch(end -> end.open));
        assertThat(atPeers).allMatch(end -> end.session.peer().incarnation() == incarnation);
        atPeers.forEach(end -> end.taken = 0);
        until("each can speak to it", () -> {
            atPeers.stream().filter(end -> end.taken == 0).forEach(end -> end.offer(FRAME));
            return atHub.size() == atPeers.size() && atHub.values().stream().allMatch(end -> end.bytes == FRAME);
        });
    }

    private void until(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + 2 * TimeUnit.SECONDS.toNanos(TransportOwner.DEADLINE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not in time: " + what + "; open at peers: "
                        + atPeers.stream().filter(end -> end.open).count() + " of " + atPeers.size() + ", lost: "
                        + atPeers.stream().mapToInt(end -> end.losses).sum());
            }
            int done = shared.poll() + (hub == null ? 0 : hub.doWork());
            for (Messenger peer : peers) {
                done += peer.doWork();
            }
            if (done == 0) {
                shared.await(IDLE_NANOS);
            }
        }
    }

    @Override
    public void close() {
        if (hub != null) {
            hub.close();
        }
        shared.close();
    }

    private static final class End implements SessionHandler {

        private Session session;
        private boolean open;
        private boolean holding;
        private int held;
        private long bytes;
        private long taken;
        private int losses;

        boolean offer(int length) {
            return offer(ByteBuffer.allocate(length));
        }

        boolean offer(ByteBuffer frame) {
            int length = frame.remaining();
            boolean offered = open && session.offer(frame);
            if (offered) {
                taken += length;
                session.flush();
            }
            return offered;
        }

        void releaseAll() {
            session.release(held);
            held = 0;
        }

        @Override
        public void onOpen(Session opened) {
            session = opened;
            open = true;
        }

        @Override
        public void onFrame(Session from, ByteBuffer frame) {
            bytes += frame.remaining();
            held += frame.remaining();
            if (!holding) {
                releaseAll();
            }
        }

        @Override
        public void onWritable(Session to) {
            // Offers are tried again and again.
        }

        @Override
        public void onLost(Session from, SessionLoss loss) {
            open = false;
            losses++;
        }
    }

    /** A transport that somebody else polls and closes. */
    private static final class Shared extends ForwardingTransport {

        Shared(Transport real) {
            super(real);
        }

        @Override
        public int poll() {
            return 0;
        }

        @Override
        public void close() {
            // It is not this one's.
        }
    }
}
