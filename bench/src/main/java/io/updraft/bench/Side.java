package io.updraft.bench;

/** The runtimes that are compared, in the order in which a round runs them. */
enum Side {
    UPDRAFT("Updraft", "io.updraft.storm.UpdraftCluster", "io.updraft.bench.workers.UpdraftWorkers"),
    /** Workers that a Supervisor of Storm's launches; never in one process. */
    UPDRAFT_ON_STORM("Updraft on a Storm cluster", null, "io.updraft.bench.cluster.StormClusterWorkers"),
    STORM("Storm", "org.apache.storm.LocalCluster", "io.updraft.bench.cluster.StormClusterWorkers");

    private final String title;
    private final String clusterClass;
    private final String workersClass;

    Side(String title, String clusterClass, String workersClass) {
        this.title = title;
        this.clusterClass = clusterClass;
        this.workersClass = workersClass;
    }

    String title() {
        return title;
    }

    /** {@return the name of the {@link org.apache.storm.ILocalCluster} to run on in one process; null where there is none} */
    String clusterClass() {
        return clusterClass;
    }

    /** {@return the name of the {@link io.updraft.bench.workers.WorkersRuntime} to run on in several processes} */
    String workersClass() {
        return workersClass;
    }
}
