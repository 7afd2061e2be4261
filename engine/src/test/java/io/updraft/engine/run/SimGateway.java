package io.updraft.engine.run;

import io.updraft.engine.mesh.RemoteWorkers;
import io.updraft.engine.testing.SimEvent;
import io.updraft.engine.tuple.Batch;
import java.util.BitSet;

/** A gateway that does exactly what {@link RemoteWorkers} requires. */
final class SimGateway {

    private final Simulation simulation;
    private final SimNetwork network;
    private final RemoteWorkers remote;
    private final int self;

    SimGateway(Simulation simulation, SimNetwork network, RemoteWorkers remote) {
        this.simulation = simulation;
        this.network = network;
        this.remote = remote;
        this.self = remote.worker();
    }

    /** Goes once round the other workers; returns how much was done. */
    int step() {
        int work = 0;
        for (int peer = 0; peer < remote.workers(); peer++) {
            work += peer == self ? 0 : step(peer, network.end(self, peer));
        }
        return work;
    }

    private int step(int peer, SimNetwork.End end) {
        int work = 0;
        if (end.broken) {
            if (!remote.peerLost(peer)) {
                simulation.count(SimEvent.DELIVERY_REFUSED);
                return 1;
            }
            end.broken = false;
            end.joined = false;
            tellLoss(peer);
            work++;
        }
        if (end.opened) {
            end.opened = false;
            end.joined = true;
            end.loadSent = -1;
            remote.peerJoined(peer);
            work++;
        }
        return end.joined ? work + receive(peer, end) + send(peer, end) : work;
    }

    private void tellLoss(int lost) {
        for (int peer = 0; peer < remote.workers(); peer++) {
            if (peer != self && peer != lost) {
                network.end(self, peer).owesLoss = true;
            }
        }
    }

    private int receive(int peer, SimNetwork.End end) {
        int work = 0;
        Object content;
        while ((content = network.peek(end, simulation.isCalm())) != null) {
            if (!take(peer, content)) {
                simulation.count(SimEvent.DELIVERY_REFUSED);
                return work + 1;
            }
            end.incoming.remove();
            work++;
        }
        return work;
    }

    private boolean take(int peer, Object content) {
        if (content instanceof Batch batch) {
            return remote.deliver(batch);
        }
        if (content == SimNetwork.LOSS) {
            simulation.count(SimEvent.LOSS_TOLD);
            return remote.failInFlight();
        }
        if (!((BitSet) content).isEmpty()) {
            simulation.count(SimEvent.HELD_BACK_FROM_AFAR);
        }
        remote.setLoad(peer, (BitSet) content);
        return true;
    }

    private int send(int peer, SimNetwork.End end) {
        int work = 0;
        if (end.owesLoss && network.isOpen(self, peer)) {
            end.owesLoss = false;
            network.send(self, peer, SimNetwork.LOSS);
            work++;
        }
        long version = remote.loadVersion();
        if (version != end.loadSent && network.hasCredit(self, peer)) {
            end.loadSent = version;
            network.send(self, peer, remote.load());
            work++;
        }
        if (simulation.chance().oneIn(16)) {
            remote.setOutgoingRoom(peer, simulation.chance().oneOf(0, 1_000, 100_000));
            remote.setIncomingRoom(simulation.chance().oneOf(0, 1, 2, 100));
        }
        while (network.hasCredit(self, peer)) {
            Batch batch = remote.poll(peer);
            if (batch == null) {
                break;
            }
            network.send(self, peer, batch);
            work++;
        }
        return work;
    }
}
