package org.apache.storm.metric;

/** The metrics of Storm's daemons, which signatures of {@code LocalCluster} and {@code LocalDRPC} name. There are none here. */
public class StormMetricsRegistry {

    /** Creates an empty registry, for {@code LocalDRPC}. */
    public StormMetricsRegistry() {}
}
