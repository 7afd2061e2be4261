package org.apache.storm;

import io.updraft.storm.UpdraftDrpc;
import org.apache.storm.metric.StormMetricsRegistry;

/**
 * DRPC in this process, under its name in Storm's server: an {@link UpdraftDrpc}, which documents the guarantees to callers.
 *
 * <p>All methods may be called from any thread.
 */
public class LocalDRPC extends UpdraftDrpc {

    /** Creates a service with the settings of {@code storm.yaml} and Storm's defaults. */
    public LocalDRPC() {}

    /**
     * Creates a service.
     *
     * @param metricsRegistry ignored: there are no metrics of daemons
     */
    public LocalDRPC(StormMetricsRegistry metricsRegistry) {}
}
