package io.updraft.messaging;

import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import io.updraft.transport.session.PeerIdentity;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.IContext;
import org.apache.storm.metrics2.StormMetricRegistry;

/**
 * The messaging of one Storm worker over one of Updraft's transports. The transport is found by its name on the class path.
 *
 * <p>A worker prepares its context, binds once, and connects to each worker that its components send to. Any thread may call
 * the methods.
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
     * Sets the configuration.
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
     * Sets the configuration.
     *
     * @param topoConf the configuration of the cluster and the topology
     * @param metricRegistry the registry for the counts of connections, or null
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
     * @param callback receives messages, on the thread {@code updraft-messaging}
     * @param newConnectionResponse supplies the current back-pressure status, for workers that connect and when the status
     *     changes; may be null
     * @return the connection, already listening
     * @throws IllegalStateException when the transport cannot run here, a setting is invalid, the port is in use, or this
     *     worker has bound already; the message is one readable line
     */
    @Override
    public final synchronized IConnection bind(
            String stormId, int port, IConnectionCallback callback, Supplier<Object> newConnectionResponse) {
        if (io != null) {
            throw new IllegalStateException("cannot bind port " + port + ": this worker has already bound or connected"
                    + "; bind once, before connecting");
        }
        io = start(MessagingSettings.worker(stormId, port));
        InboundConnection inbound = new InboundConnection(io, port, callback, newConnectionResponse);
        try {
            io.listen(new Address(MessagingSettings.bindHost(conf), port), inbound);
        } catch (TransportException e) {
            io.close();
            io = null;
            throw new IllegalStateException(e.getMessage() + MessagingSettings.hint(conf), e);
        }
        return inbound;
    }

    /**
     * Connects to another worker of the topology; retries until the connection is closed.
     *
     * @param stormId the topology
     * @param host the other worker's host, as its Supervisor names it
     * @param port the other worker's port
     * @param remoteBpStatus by task, whether it is under back-pressure; the connection sets the flags
     * @return a new connection, not open yet
     * @throws IllegalStateException when the transport cannot run here
     */
    @Override
    public final synchronized IConnection connect(
            String stormId, String host, int port, AtomicBoolean[] remoteBpStatus) {
        if (io == null) {
            io = start(MessagingSettings.client(stormId));
        }
        OutboundConnection outbound = new OutboundConnection(
                io, MessagingSettings.of(conf), host, port, new BackPressureFlags(remoteBpStatus));
        outbound.open(metrics);
        return outbound;
    }

    /** Closes all connections and releases all resources. Idempotent. */
    @Override
    public final synchronized void term() {
        if (io != null) {
            io.close();
            io = null;
        }
    }

    private IoThread start(PeerIdentity self) {
        try {
            MessagingSettings.of(conf); // fails now instead of at the first connection
            return IoThread.start(transport, conf, MessagingSettings.options(conf, self));
        } catch (TransportException | IllegalArgumentException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }
}
