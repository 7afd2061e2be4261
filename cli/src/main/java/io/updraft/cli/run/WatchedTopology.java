package io.updraft.cli.run;

import io.updraft.cli.view.Sample;
import io.updraft.engine.Engine;
import io.updraft.engine.metrics.EngineSnapshot;

/** One topology of the run, from when it was first seen; it is remembered when it is gone. */
final class WatchedTopology {
    private final String name;
    private final Engine engine;
    private EngineSnapshot before;
    private EngineSnapshot now;

    WatchedTopology(String name, Engine engine) {
        this.name = name;
        this.engine = engine;
    }

    String name() {
        return name;
    }

    Engine engine() {
        return engine;
    }

    /** Looks at the topology; every look begins a new interval. */
    synchronized Sample look(String state) {
        before = now;
        now = engine.snapshot();
        return new Sample(name, state, before, now);
    }

    /** {@return the newest state of all} */
    synchronized EngineSnapshot last() {
        now = engine.snapshot();
        return now;
    }
}
