package org.apache.storm;

import io.updraft.storm.UpdraftDrpc;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.generated.DRPCRequest;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.thrift.TException;

/**
 * DRPC in this process, under its name in Storm's server: an {@link UpdraftDrpc}, which documents the guarantees to callers.
 *
 * <p>All methods may be called from any thread.
 */
public class LocalDRPC implements ILocalDRPC {
    private final UpdraftDrpc drpc = new UpdraftDrpc();

    /** Creates a service with the settings of {@code storm.yaml} and Storm's defaults. */
    public LocalDRPC() {}

    /**
     * Creates a service.
     *
     * @param metricsRegistry ignored: there are no metrics of daemons
     */
    public LocalDRPC(StormMetricsRegistry metricsRegistry) {}

    @Override
    public String getServiceId() {
        return drpc.getServiceId();
    }

    @Override
    public void result(String id, String result) throws TException {
        drpc.result(id, result);
    }

    @Override
    public String execute(String functionName, String funcArgs) throws TException {
        return drpc.execute(functionName, funcArgs);
    }

    @Override
    public void failRequest(String id) throws TException {
        drpc.failRequest(id);
    }

    @Override
    public void failRequestV2(String id, DRPCExecutionException e) throws TException {
        drpc.failRequestV2(id, e);
    }

    @Override
    public DRPCRequest fetchRequest(String functionName) throws TException {
        return drpc.fetchRequest(functionName);
    }

    /** Fails all requests in progress, and refuses later ones. Idempotent. */
    @Override
    public void close() {
        drpc.close();
    }

    @Override
    @Deprecated
    public void shutdown() {
        close();
    }
}
