package io.updraft.cluster.local;

import io.updraft.engine.metrics.EngineSnapshot;

/**
 * What a topology did before its current deployment: when it was started, by {@link System#nanoTime()}, and its counts since then,
 * with nothing in flight; null for the first deployment.
 */
record Past(long startedNanos, EngineSnapshot counted) {

    static Past none() {
        return new Past(System.nanoTime(), null);
    }
}
