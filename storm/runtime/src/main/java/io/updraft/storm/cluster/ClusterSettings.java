package io.updraft.storm.cluster;

import io.updraft.engine.EngineStarter;
import io.updraft.engine.api.EngineClock;
import io.updraft.engine.api.ErrorReport;
import java.time.Duration;
import java.util.function.BiConsumer;

/**
 * The settings of a cluster, fixed when the cluster is built. Closing the cluster waits up to {@code drainLimit} for tuples in
 * flight. The listeners receive a topology's name, and each failure of user code, or the one that ended the topology.
 */
public record ClusterSettings(
        EngineStarter engines,
        EngineClock clock,
        long seed,
        Duration drainLimit,
        BiConsumer<String, ErrorReport> onError,
        BiConsumer<String, ErrorReport> onDeath) {}
