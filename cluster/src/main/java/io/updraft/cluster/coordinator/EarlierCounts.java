package io.updraft.cluster.coordinator;

import io.updraft.engine.metrics.EngineSnapshot;

/**
 * What a topology did before its current deployment: when it was started, by {@link System#nanoTime()}, and its counts since then,
 * with nothing in flight; null for the first deployment.
 */
record EarlierCounts(long startedNanos, EngineSnapshot counted) {

    static EarlierCounts none() {
        return new EarlierCounts(System.nanoTime(), null);
    }
}
