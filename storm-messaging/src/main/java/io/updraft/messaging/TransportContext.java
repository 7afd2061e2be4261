package io.updraft.messaging;

import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import io.updraft.transport.session.Peer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.IContext;
import org.apache.storm.metrics2.StormMetricRegistry;

/**
 * The messaging of one Storm worker over one of Updraft's transports, found by its name among the jars.
 *
 * <p>A worker prepares its context, binds once, and connects to each worker that its components send to. Its methods may be
 * called by any thread.
 */
public abstract class TransportContext implements IContext {

    private final String transport;
    private Map<String, Object> conf;
    private StormMetricRegistry metrics;
    private IoThread io;

    /**
     * Creates a context.
     *
     * @param transport the transport's name
     */
    protected TransportContext(String transport) {
        this.transport = transport;
    }

    /**
     * Takes the configuration.
     *
     * @param topoConf the configuration of the cluster and the topology
     * @deprecated as Storm's own
     */
    @Override
    @Deprecated
    public final void prepare(Map<String, Object> topoConf) {
        prepare(topoConf, null);
    }

    /**
     * Takes the configuration.
     *
     * @param topoConf the configuration of the cluster and the topology
     * @param metricRegistry where counts of connections are shown, or null
     */
    @Override
    public final synchronized void prepare(Map<String, Object> topoConf, StormMetricRegistry metricRegistry) {
        conf = topoConf;
        metrics = metricRegistry;
    }

    /**
     * Listens for the other workers of the topology.
     *
     * @param stormId the topology
     * @param port the worker's port
     * @param callback gets what arrives, from the thread {@code updraft-messaging}
     * @param newConnectionResponse gives the back-pressure status of the moment, for workers that connect and whenever
     *     it has changed; may be null
     * @return the connection, listening already
     * @throws IllegalStateException when the transport cannot run here, a setting makes no sense, the port is taken, or this
     *     worker has bound already; the message is one line for people
     */
    @Override
    public final synchronized IConnection bind(
            String stormId, int port, IConnectionCallback callback, Supplier<Object> newConnectionResponse) {
        if (io != null) {
            throw new IllegalStateException("this worker has bound or connected before binding port " + port
                    + ": a worker binds first, and once");
        }
        io = start(Settings.worker(stormId, port));
        Inbound inbound = new Inbound(io, port, callback, newConnectionResponse);
        try {
            io.listen(new Address(Settings.bindHost(conf), port), inbound);
        } catch (TransportException e) {
            io.close();
            io = null;
            throw new IllegalStateException(e.getMessage() + Settings.hint(conf), e);
        }
        return inbound;
    }

    /**
     * Connects to another worker of the topology; goes on trying until the connection is closed.
     *
     * @param stormId the topology
     * @param host the other worker's host, as its Supervisor names it
     * @param port the other worker's port
     * @param remoteBpStatus by task, whether it is under back-pressure; the connection sets them
     * @return a new connection, not open yet
     * @throws IllegalStateException when the transport cannot run here
     */
    @Override
    public final synchronized IConnection connect(
            String stormId, String host, int port, AtomicBoolean[] remoteBpStatus) {
        if (io == null) {
            io = start(Settings.client(stormId));
        }
        Outbound outbound = new Outbound(io, Settings.of(conf), host, port, new BackPressureFlags(remoteBpStatus));
        outbound.open(metrics);
        return outbound;
    }

    /** Closes all connections and gives back all resources. Idempotent. */
    @Override
    public final synchronized void term() {
        if (io != null) {
            io.close();
            io = null;
        }
    }

    private IoThread start(Peer self) {
        try {
            Settings.of(conf); // what is wrong there is better told now than by the first connection
            return IoThread.start(transport, conf, Settings.options(conf, self));
        } catch (TransportException | IllegalArgumentException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
