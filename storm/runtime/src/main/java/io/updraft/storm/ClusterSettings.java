package io.updraft.storm;

import io.updraft.engine.api.EngineClock;
import io.updraft.engine.api.EngineStarter;
import io.updraft.engine.snapshot.ErrorReport;
import java.time.Duration;
import java.util.function.BiConsumer;

/**
 * The settings of a cluster, fixed when the cluster is built.
 *
 * @param engines starts the topologies
 * @param clock the source of time of all its topologies
 * @param seed the seed of every random choice
 * @param drainLimit how long closing the cluster waits for tuples in flight
 * @param onError receives the topology's name and each failure of user code
 * @param onDeath receives the topology's name and the failure that ended it
 */
record ClusterSettings(
        EngineStarter engines,
        EngineClock clock,
        long seed,
        Duration drainLimit,
        BiConsumer<String, ErrorReport> onError,
        BiConsumer<String, ErrorReport> onDeath) {}
