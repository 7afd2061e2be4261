package io.updraft.bench;

/** The runtimes that are compared. */
enum Side {
    UPDRAFT("Updraft", "io.updraft.storm.UpdraftCluster"),
    STORM("Storm", "org.apache.storm.LocalCluster");

    private final String title;
    private final String clusterClass;

    Side(String title, String clusterClass) {
        this.title = title;
        this.clusterClass = clusterClass;
    }

    String title() {
        return title;
    }

    /** {@return the name of the {@link org.apache.storm.ILocalCluster} to run on} */
    String clusterClass() {
        return clusterClass;
    }
}
