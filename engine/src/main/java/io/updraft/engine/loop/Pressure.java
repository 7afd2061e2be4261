package io.updraft.engine.loop;

import io.updraft.engine.plan.Regions;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Who is congested: for each region of the topology, how many reasons there are to send it nothing more. A reason is an executor
 * of this worker that has more queued than it may, another worker that says the same of its own, or a way to another worker
 * that is full or closed and leads to the region.
 *
 * <p>Written when a mark is crossed, which is rare; read before each turn by any thread.
 */
final class Pressure {

    private final Regions regions;

    /** All reasons. */
    private final AtomicIntegerArray congested;

    /** Executors of this worker. Only these are told to others: what those have said must not come back to them. */
    private final AtomicIntegerArray own;

    private final AtomicLong version = new AtomicLong();
    private final Runnable onOwnChange;

    /**
     * Begins with nobody congested.
     *
     * @param onOwnChange called, on any of the engine's threads, when {@link #own} has changed
     */
    Pressure(Regions regions, Runnable onOwnChange) {
        this.regions = regions;
        this.congested = new AtomicIntegerArray(regions.count());
        this.own = new AtomicIntegerArray(regions.count());
        this.onOwnChange = onOwnChange;
    }

    /** An executor of this worker is congested. */
    void raise(int component) {
        int region = regions.regionOf(component);
        congested.incrementAndGet(region);
        if (own.incrementAndGet(region) == 1) {
            ownChanged();
        }
    }

    /** It is so no more; returns whether the region has just become free. */
    boolean lower(int component) {
        int region = regions.regionOf(component);
        if (own.decrementAndGet(region) == 0) {
            ownChanged();
        }
        return congested.decrementAndGet(region) == 0;
    }

    private void ownChanged() {
        version.incrementAndGet();
        onOwnChange.run();
    }

    /** There is a reason in other workers, or on the way there, to send nothing to these regions. */
    void hold(BitSet held) {
        held.stream().forEach(congested::incrementAndGet);
    }

    /** The reason is gone; returns whether one of the regions has just become free. */
    boolean release(BitSet held) {
        boolean free = false;
        for (int region = held.nextSetBit(0); region >= 0; region = held.nextSetBit(region + 1)) {
            free |= congested.decrementAndGet(region) == 0;
        }
        return free;
    }

    /** Whether one of these regions is congested. */
    boolean holdsBack(int[] downstream) {
        for (int region : downstream) {
            if (congested.get(region) > 0) {
                return true;
            }
        }
        return false;
    }

    int[] downstreamOf(int component) {
        return regions.downstreamOf(component);
    }

    int regionOf(int component) {
        return regions.regionOf(component);
    }

    int regionCount() {
        return regions.count();
    }

    /** The regions in which executors of this worker are congested. */
    BitSet own() {
        BitSet bits = new BitSet();
        for (int region = 0; region < own.length(); region++) {
            if (own.get(region) > 0) {
                bits.set(region);
            }
        }
        return bits;
    }

    /** Changes after each change of {@link #own}. */
    long version() {
        return version.get();
    }
}
