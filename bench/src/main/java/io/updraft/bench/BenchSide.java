package io.updraft.bench;

/** The compared runtimes, in the order of a round. */
public enum BenchSide {
    UPDRAFT("Updraft", "io.updraft.storm.UpdraftCluster", "io.updraft.bench.workers.UpdraftWorkers"),
    /** Updraft's workers, launched by a Storm Supervisor; there is no variant in one process. */
    UPDRAFT_ON_STORM("Updraft on a Storm cluster", null, "io.updraft.bench.cluster.StormClusterWorkers"),
    STORM("Storm", "org.apache.storm.LocalCluster", "io.updraft.bench.cluster.StormClusterWorkers"),
    /** Flink's mini cluster, which runs the word count only; there is no variant in several processes. */
    FLINK("Flink", "io.updraft.bench.aggregate.FlinkWordCount", null);

    private final String title;
    private final String localClass;
    private final String workersClass;

    BenchSide(String title, String localClass, String workersClass) {
        this.title = title;
        this.localClass = localClass;
        this.workersClass = workersClass;
    }

    public String title() {
        return title;
    }

    /** {@return whether the side is Updraft, however its workers are launched} */
    public boolean isUpdraft() {
        return this == UPDRAFT || this == UPDRAFT_ON_STORM;
    }

    /** {@return whether the side can track messages} Flink has checkpoints instead, which are off. */
    public boolean tracksMessages() {
        return this != FLINK;
    }

    /**
     * Returns the name of the class that executes runs in one process.
     *
     * @return an {@link org.apache.storm.ILocalCluster} or an {@code io.updraft.bench.child.PeerRuntime}; null if there is none
     */
    public String localClass() {
        return localClass;
    }

    /**
     * Returns the name of the class that executes runs in several processes.
     *
     * @return a {@link io.updraft.bench.workers.WorkersRuntime}; null if there is none
     */
    public String workersClass() {
        return workersClass;
    }
}
