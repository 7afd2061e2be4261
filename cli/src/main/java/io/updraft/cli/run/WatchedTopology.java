package io.updraft.cli.run;

import io.updraft.cli.view.Sample;
import io.updraft.cluster.local.LocalWorkers;
import io.updraft.cluster.local.WorkerStatus;
import io.updraft.engine.TopologyEngine;
import io.updraft.engine.metrics.EngineSnapshot;
import java.util.List;

/** One topology of the run, from when it was first seen; it is remembered when it is gone. */
final class WatchedTopology {
    private final String name;
    private final TopologyEngine engine;
    private EngineSnapshot before;
    private EngineSnapshot now;
    private EngineSnapshot kept;

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

    /** {@return the worker processes in which it runs; none if it runs in this one} */
    List<WorkerStatus> workers() {
        return engine instanceof LocalWorkers workers ? workers.statuses() : List.of();
    }

    /** Looks at the topology; every look begins a new interval. */
    synchronized Sample look(String state) {
        before = now;
        now = engine.snapshot();
        return new Sample(name, state, before, now, workers());
    }

    /** Keeps the state as it is now for the last: what is cut off later is seen as it was. */
    synchronized void keep() {
        kept = engine.snapshot();
    }

    /** {@return the newest state of all, or the one that was kept} */
    synchronized EngineSnapshot last() {
        return kept != null ? kept : engine.snapshot();
    }
}
