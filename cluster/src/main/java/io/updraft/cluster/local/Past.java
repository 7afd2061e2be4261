package io.updraft.cluster.local;

import io.updraft.engine.metrics.EngineSnapshot;

/**
 * What a topology was before it was deployed as it is now.
 *
 * @param startedNanos when it was started, by {@link System#nanoTime()}
 * @param counted what it has counted since, with nothing in flight; null if it was nothing before
 */
record Past(long startedNanos, EngineSnapshot counted) {

    /** {@return that of a topology that is new} */
    static Past none() {
        return new Past(System.nanoTime(), null);
    }
}
