package io.updraft.engine.loop;

import io.updraft.engine.mesh.Batch;
import io.updraft.engine.mesh.SpscRing;
import java.lang.invoke.VarHandle;
import java.util.BitSet;

/** The other end of a lane that leads to another worker. Called by the loop that sends. */
final class RemoteEnd implements Lane.End {

    private final Pressure pressure;
    private final BitSet regions;
    private final Runnable whenPressureIsReleased;
    private final Runnable wakeGateway;

    /**
     * Creates the end of one lane.
     *
     * @param regions those that have tasks in the other worker
     */
    RemoteEnd(Pressure pressure, BitSet regions, Runnable whenPressureIsReleased, Runnable wakeGateway) {
        this.pressure = pressure;
        this.regions = regions;
        this.whenPressureIsReleased = whenPressureIsReleased;
        this.wakeGateway = wakeGateway;
    }

    /**
     * Wakes the gateway, unless something was in the ring before: then it was woken for that and has not emptied the ring yet.
     *
     * <p>This is Dekker's handshake, as in {@link io.updraft.engine.mesh.Doorbell}: here the ring is written and then its head
     * is read; the gateway moves the head and, before it sleeps, looks into the ring again. Both have a full fence in between,
     * so either this sees that the ring was emptied, or the gateway sees what was put into it.
     */
    @Override
    public void sent(SpscRing<Batch> ring) {
        VarHandle.fullFence();
        if (ring.size() <= 1) {
            wakeGateway.run();
        }
    }

    /** Only what goes to that worker is delayed: components that send to none of its regions go on. */
    @Override
    public void parked(boolean now) {
        if (now) {
            pressure.hold(regions);
        } else if (pressure.release(regions)) {
            whenPressureIsReleased.run();
        }
    }
}
