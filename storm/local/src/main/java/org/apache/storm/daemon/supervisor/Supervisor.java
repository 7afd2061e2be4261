package org.apache.storm.daemon.supervisor;

/** A part of Storm's server that signatures of {@code LocalCluster} name. There is none here. */
public final class Supervisor {
    private Supervisor() {}
}
