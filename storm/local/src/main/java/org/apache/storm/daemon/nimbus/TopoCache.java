package org.apache.storm.daemon.nimbus;

/** A part of Storm's server that a signature of {@code LocalCluster.Builder} names. There is none here. */
public final class TopoCache {
    private TopoCache() {}
}
