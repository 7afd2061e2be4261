package io.updraft.engine.loop;

import io.updraft.engine.plan.Regions;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Who is congested: for each region of the topology, how many of its executors have more queued than they may.
 *
 * <p>Written by the loops when an executor crosses a mark, which is rare; read before each turn by any thread.
 */
final class Pressure {

    private final Regions regions;
    private final AtomicIntegerArray congested;

    Pressure(Regions regions) {
        this.regions = regions;
        this.congested = new AtomicIntegerArray(regions.count());
    }

    void raise(int component) {
        congested.incrementAndGet(regions.regionOf(component));
    }

    /** Returns whether the region has just become free. */
    boolean lower(int component) {
        return congested.decrementAndGet(regions.regionOf(component)) == 0;
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
}
