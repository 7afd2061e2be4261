package io.updraft.bench.option;

/** The compared runtimes, in the order of a round. */
public enum BenchSide {
    UPDRAFT("Updraft", "io.updraft.storm.UpdraftCluster", "io.updraft.bench.workers.UpdraftWorkers"),
    /** Updraft's workers, launched by a Storm Supervisor; there is no variant in one process. */
    UPDRAFT_ON_STORM("Updraft on a Storm cluster", null, "io.updraft.bench.cluster.StormClusterWorkers"),
    STORM("Storm", "org.apache.storm.LocalCluster", "io.updraft.bench.cluster.StormClusterWorkers");

    private final String title;
    private final String clusterClass;
    private final String workersClass;

    BenchSide(String title, String clusterClass, String workersClass) {
        this.title = title;
        this.clusterClass = clusterClass;
        this.workersClass = workersClass;
    }

    public String title() {
        return title;
    }

    /** {@return the name of the {@link org.apache.storm.ILocalCluster} class for runs in one process; null if there is none} */
    public String clusterClass() {
        return clusterClass;
    }

    /** {@return the name of the {@link io.updraft.bench.workers.WorkersRuntime} class for runs in several processes} */
    public String workersClass() {
        return workersClass;
    }
}
