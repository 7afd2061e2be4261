package io.updraft.engine.run;

import io.updraft.engine.mesh.Doorbell;
import io.updraft.engine.mesh.RemoteWorkers;
import io.updraft.engine.mesh.SpscRing;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.tuple.Batch;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The gateway's ends of the rings between this worker's loops and the other workers. Belongs to the gateway's thread.
 *
 * <p>Order: batches from another worker for a task, or for the owner of a tree, always enter through the same loop, the one on
 * which the executor started. If the executor has moved, that loop forwards them through its lane, as it does for the loops of
 * this worker. If the entry changed with a move, a tuple could overtake an earlier one that used the old entry.
 */
final class RemoteLanes implements RemoteWorkers {

    private final TopologyServices shared;
    private final List<Doorbell> loops;
    private final RemotePeer[] peers;
    private final RemoteInput entry;
    private final int ring;

    /** Number of regions, which come before tasks in the bits of a load; see load. */
    private final int regionCount;

    private final BitSet ownTasks = new BitSet();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong received = new AtomicLong();

    /** The gateway's state of one other worker. Belongs to the gateway's thread. The sets do not change after assembly. */
    private static final class RemotePeer {

        /** The regions that have tasks in that worker. */
        final BitSet regions = new BitSet();

        final BitSet tasks = new BitSet();

        /** The lanes to that worker, one for each loop. */
        final List<OutboundLane> outward;

        boolean joined;

        /** The regions that are held back because of that worker. */
        BitSet held = new BitSet();

        private int next;

        RemotePeer(int loops) {
            outward = new ArrayList<>(Collections.nCopies(loops, null));
        }

        /** Takes a batch from the lanes of the loops in turn, and wakes the loop if it waits for room. */
        Batch poll(List<Doorbell> loops) {
            for (int i = 0; joined && i < outward.size(); i++) {
                next = next + 1 < outward.size() ? next + 1 : 0;
                OutboundLane lane = outward.get(next);
                Batch batch = lane.ring().poll();
                if (batch != null) {
                    if (lane.hasCapacityAgain()) {
                        loops.get(next).ring();
                    }
                    return batch;
                }
            }
            return null;
        }

        boolean hasOutgoing() {
            for (int i = 0; joined && i < outward.size(); i++) {
                if (!outward.get(i).ring().isEmpty()) {
                    return true;
                }
            }
            return false;
        }
    }

    /** The other end of a lane to another worker. Called by the sending loop. */
    static final class RemoteLaneReceiver implements OutboundLane.LaneReceiver {

        private final BackPressure pressure;

        /** The regions that have tasks in the other worker. */
        private final BitSet regions;

        private final Runnable whenPressureIsReleased;
        private final Runnable wakeGateway;

        RemoteLaneReceiver(
                BackPressure pressure, BitSet regions, Runnable whenPressureIsReleased, Runnable wakeGateway) {
            this.pressure = pressure;
            this.regions = regions;
            this.whenPressureIsReleased = whenPressureIsReleased;
            this.wakeGateway = wakeGateway;
        }

        /**
         * Wakes the gateway, unless the ring already had a batch: then the gateway was woken for that batch and has not emptied the
         * ring yet.
         *
         * <p>This is Dekker's handshake, as in {@link io.updraft.engine.mesh.Doorbell}. This side writes to the ring and then reads
         * its head. The gateway moves the head and checks the ring again before it sleeps. Both sides have a full fence in between.
         * So either this side sees that the ring was emptied, or the gateway sees the new batch.
         */
        @Override
        public void sent(SpscRing<Batch> ring) {
            VarHandle.fullFence();
            if (ring.size() <= 1) {
                wakeGateway.run();
            }
        }

        /** Holds back only the components that send to a region of that worker. */
        @Override
        public void parked(boolean now) {
            if (now) {
                pressure.hold(regions);
            } else if (pressure.release(regions)) {
                whenPressureIsReleased.run();
            }
        }
    }

    public RemoteLanes(TopologyServices shared, List<Doorbell> loops, int ring) {
        this.shared = shared;
        this.loops = loops;
        this.regionCount = shared.pressure().regions().count();
        this.ring = ring;
        this.entry = new RemoteInput(shared, ring);
        this.peers = new RemotePeer[shared.plan().workers()];
        for (int worker = 0; worker < peers.length; worker++) {
            peers[worker] = worker == shared.self().worker() ? null : new RemotePeer(loops.size());
        }
        for (ExecutorPlan executor : shared.plan().executors()) {
            addExecutor(executor);
        }
        for (RemotePeer peer : peers) {
            if (peer != null) {
                shared.pressure().hold(peer.regions);
                peer.held = peer.regions;
            }
        }
    }

    private void addExecutor(ExecutorPlan executor) {
        RemotePeer peer = peers[executor.worker()];
        BitSet tasks = peer == null ? ownTasks : peer.tasks;
        for (int task : executor.taskIds()) {
            tasks.set(task);
        }
        if (peer != null) {
            peer.regions.set(shared.pressure().regions().regionOf(executor.componentIndex()));
        }
    }

    /** Creates the lane from a loop to another worker, before the loop runs; null for this worker. */
    public OutboundLane newLane(int loop, int worker) {
        RemotePeer peer = peers[worker];
        if (peer == null) {
            return null;
        }
        RemoteLaneReceiver end = new RemoteLaneReceiver(
                shared.pressure(), peer.regions, this::ringAll, shared.self().wakeGateway());
        OutboundLane lane = new OutboundLane(end, ring);
        peer.outward.set(loop, lane);
        return lane;
    }

    /** Returns the ring through which a loop receives batches from other workers. */
    public SpscRing<Batch> inward(int loop) {
        return entry.ring(loop);
    }

    private void ringAll() {
        loops.forEach(Doorbell::ring);
    }

    @Override
    public int worker() {
        return shared.self().worker();
    }

    @Override
    public int workers() {
        return peers.length;
    }

    @Override
    public Batch poll(int worker) {
        Batch batch = peer(worker).poll(loops);
        if (batch != null) {
            sent.setRelease(sent.getPlain() + batch.tupleCount());
        }
        return batch;
    }

    @Override
    public boolean hasOutgoing(int worker) {
        VarHandle.fullFence();
        return peer(worker).hasOutgoing();
    }

    @Override
    public boolean deliver(Batch batch) {
        entry.check(batch);
        if (shared.lifecycle().isStopping()) {
            // The loops no longer take batches, and the gateway must not wait for them.
            return true;
        }
        if (!entry.hasCapacity()) {
            return false;
        }
        // Counted first: a tuple must not count as executed before it counts as received.
        received.setRelease(received.getPlain() + batch.tupleCount());
        entry.put(batch, loops);
        return true;
    }

    @Override
    public void setOutgoingRoom(int worker, int tuples) {
        List<OutboundLane> outward = peer(worker).outward;
        for (int loop = 0; loop < outward.size(); loop++) {
            outward.get(loop).setLimit(tuples / outward.size());
        }
    }

    @Override
    public void setIncomingRoom(int batches) {
        entry.setLimit(batches);
    }

    private RemotePeer peer(int worker) {
        RemotePeer peer = worker < 0 || worker >= peers.length ? null : peers[worker];
        if (peer == null) {
            throw new IllegalArgumentException(
                    "worker " + worker + " is not another worker of worker " + worker() + " of " + peers.length);
        }
        return peer;
    }

    @Override
    public void peerJoined(int worker) {
        RemotePeer peer = peer(worker);
        if (!peer.joined) {
            peer.joined = true;
            hold(peer, new BitSet());
        }
    }

    @Override
    public boolean peerLost(int worker) {
        RemotePeer peer = peer(worker);
        peer.joined = false;
        hold(peer, peer.regions);
        shared.overload().replace(peer.tasks, new BitSet());
        return failInFlight();
    }

    @Override
    public boolean failInFlight() {
        return shared.lifecycle().isStopping() || entry.failAll(loops);
    }

    @Override
    public long loadVersion() {
        return shared.pressure().version() + shared.overload().version();
    }

    @Override
    public BitSet load() {
        BitSet load = shared.pressure().own();
        shared.overload().among(ownTasks).stream().forEach(task -> load.set(regionCount + task));
        return load;
    }

    @Override
    public void setLoad(int worker, BitSet load) {
        RemotePeer peer = peer(worker);
        if (!peer.joined) {
            return;
        }
        BitSet regions = load.get(0, regionCount);
        regions.and(peer.regions);
        hold(peer, regions);
        shared.overload().replace(peer.tasks, load.get(regionCount, Math.max(regionCount, load.length())));
    }

    private void hold(RemotePeer peer, BitSet regions) {
        BitSet added = (BitSet) regions.clone();
        added.andNot(peer.held);
        BitSet gone = (BitSet) peer.held.clone();
        gone.andNot(regions);
        peer.held = regions;
        shared.pressure().hold(added);
        if (shared.pressure().release(gone)) {
            ringAll();
        }
    }

    @Override
    public long tuplesSent() {
        return sent.get();
    }

    @Override
    public long tuplesReceived() {
        return received.get();
    }
}
