package io.updraft.cli.run;

import io.updraft.cli.view.TopologySample;
import io.updraft.cluster.coordinator.LocalWorkers;
import io.updraft.cluster.coordinator.WorkerStatus;
import io.updraft.engine.TopologyEngine;
import io.updraft.engine.metrics.EngineSnapshot;
import java.util.List;

/** One topology of the run, from its discovery on. Keeps its state after its end. */
final class WatchedTopology {
    private final String name;
    private final TopologyEngine engine;
    private EngineSnapshot before;
    private EngineSnapshot now;
    private EngineSnapshot stateAtDrainLimit;

    WatchedTopology(String name, TopologyEngine engine) {
        this.name = name;
        this.engine = engine;
    }

    String name() {
        return name;
    }

    TopologyEngine engine() {
        return engine;
    }

    /** {@return the worker processes of the topology; empty if the topology runs in this process} */
    List<WorkerStatus> workers() {
        return engine instanceof LocalWorkers workers ? workers.statuses() : List.of();
    }

    /** Takes a snapshot of the topology. Each call begins a new interval. */
    synchronized TopologySample sample(String state) {
        before = now;
        now = engine.snapshot();
        return new TopologySample(name, state, before, now, workers());
    }

    /** Keeps the present state as the last one, so that the summary shows the tuples in flight before the topology is cut off. */
    synchronized void keep() {
        stateAtDrainLimit = engine.snapshot();
    }

    /** {@return the kept state, or else the present one} */
    synchronized EngineSnapshot last() {
        return stateAtDrainLimit != null ? stateAtDrainLimit : engine.snapshot();
    }
}
