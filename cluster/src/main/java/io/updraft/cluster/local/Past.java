package io.updraft.cluster.local;

import io.updraft.engine.metrics.EngineSnapshot;

/**
 * The counts of a topology from before its current deployment.
 *
 * @param startedNanos when the topology was started, by {@link System#nanoTime()}
 * @param counted the counts since then, with nothing in flight; null for the first deployment
 */
record Past(long startedNanos, EngineSnapshot counted) {

    /** {@return the past of a new topology} */
    static Past none() {
        return new Past(System.nanoTime(), null);
    }
}
