package io.updraft.bench;

/** The runtimes that are compared. */
enum Side {
    UPDRAFT("Updraft", "io.updraft.storm.UpdraftCluster", "io.updraft.bench.workers.UpdraftWorkers"),
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

    /** {@return the name of the {@link org.apache.storm.ILocalCluster} to run on in one process} */
    String clusterClass() {
        return clusterClass;
    }

    /** {@return the name of the {@link io.updraft.bench.workers.WorkersRuntime} to run on in several processes} */
    String workersClass() {
        return workersClass;
    }
}
