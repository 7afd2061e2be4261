package io.updraft.bench.aggregate;

import io.updraft.bench.BenchSide;

/** Where records are aggregated. */
enum TablePlacement {
    /** One thread, without a topology. */
    ALONE("alone", TableAlone.class.getName()),
    EMBEDDED("updraft", BenchSide.UPDRAFT.localClass()),
    LOCAL_WORKERS("updraft", BenchSide.UPDRAFT.workersClass()),
    STORM_CLUSTER("updraft on Storm", BenchSide.UPDRAFT_ON_STORM.workersClass());

    private final String title;
    private final String runtime;

    TablePlacement(String title, String runtime) {
        this.title = title;
        this.runtime = runtime;
    }

    String title() {
        return title;
    }

    /** {@return the name of the class that executes runs} */
    String runtime() {
        return runtime;
    }

    /** {@return whether workers run the topology, and not the harness} */
    boolean hasWorkers() {
        return this == LOCAL_WORKERS || this == STORM_CLUSTER;
    }
}
