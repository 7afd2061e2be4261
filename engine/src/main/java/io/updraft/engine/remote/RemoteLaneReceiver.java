package io.updraft.engine.remote;

import io.updraft.engine.mesh.Batch;
import io.updraft.engine.mesh.SpscRing;
import io.updraft.engine.pressure.BackPressure;
import java.lang.invoke.VarHandle;
import java.util.BitSet;

/** The other end of a lane to another worker. Called by the sending loop. */
final class RemoteLaneReceiver implements OutboundLane.LaneReceiver {

    private final BackPressure pressure;
    private final BitSet regions;
    private final Runnable whenPressureIsReleased;
    private final Runnable wakeGateway;

    /**
     * Creates the end of one lane.
     *
     * @param regions the regions that have tasks in the other worker
     */
    RemoteLaneReceiver(BackPressure pressure, BitSet regions, Runnable whenPressureIsReleased, Runnable wakeGateway) {
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
