package io.updraft.engine.run;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * The back-pressure of a topology: for each region, the number of reasons to send no more tuples to it. There are three kinds
 * of reasons: an executor of this worker with too long a queue, another worker that reports congestion of its own executors,
 * and a full or closed lane to another worker that leads to the region.
 *
 * <p>Written when a mark is crossed, which is rare. Read before each turn by any thread.
 */
final class BackPressure {

    private final Regions regions;
    private final AtomicIntegerArray congested;

    /**
     * The number of congested executors of this worker by region. Only these are reported to other workers, because their own
     * reports must not come back to them.
     */
    private final AtomicIntegerArray own;

    private final AtomicLong version = new AtomicLong();

    /** Called, on any of the engine's threads, when {@link #own} has changed. */
    private final Runnable onOwnChange;

    public BackPressure(Regions regions, Runnable onOwnChange) {
        this.regions = regions;
        this.congested = new AtomicIntegerArray(regions.count());
        this.own = new AtomicIntegerArray(regions.count());
        this.onOwnChange = onOwnChange;
    }

    /** Adds a congested executor of this worker. */
    public void raise(int component) {
        int region = regions.regionOf(component);
        congested.incrementAndGet(region);
        if (own.incrementAndGet(region) == 1) {
            ownChanged();
        }
    }

    /** Removes a congested executor of this worker. Returns whether the region has just become free. */
    public boolean lower(int component) {
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

    /** Adds a reason from another worker or a lane to it, for these regions. */
    public void hold(BitSet held) {
        held.stream().forEach(congested::incrementAndGet);
    }

    /** Removes such a reason. Returns whether one of the regions has just become free. */
    public boolean release(BitSet held) {
        boolean free = false;
        for (int region = held.nextSetBit(0); region >= 0; region = held.nextSetBit(region + 1)) {
            free |= congested.decrementAndGet(region) == 0;
        }
        return free;
    }

    public boolean holdsBack(int[] downstream) {
        for (int region : downstream) {
            if (congested.get(region) > 0) {
                return true;
            }
        }
        return false;
    }

    public Regions regions() {
        return regions;
    }

    /** Returns the regions in which executors of this worker are congested. */
    public BitSet own() {
        BitSet bits = new BitSet();
        IntStream.range(0, own.length()).filter(region -> own.get(region) > 0).forEach(bits::set);
        return bits;
    }

    /** Returns a number that changes after each change of {@link #own}. */
    public long version() {
        return version.get();
    }
}
