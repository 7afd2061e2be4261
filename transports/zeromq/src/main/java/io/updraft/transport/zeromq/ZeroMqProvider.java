package io.updraft.transport.zeromq;

import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.TransportProvider;
import java.io.IOException;

/** Creates transports over ZeroMQ; the name in a configuration is {@code zeromq}. */
public final class ZeroMqProvider implements TransportProvider {

    /** Milliseconds between pings, by which JeroMQ detects a connection that is dead but not closed; default 2,000. */
    public static final String HEARTBEAT = "updraft.transport.zeromq.heartbeat.ms";

    static final String NAME = "zeromq";

    /** Creates a provider, as {@link java.util.ServiceLoader} does. */
    public ZeroMqProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Transport create(TransportOptions options) throws TransportException {
        try {
            return new ZeroMqTransport(ZeroMqSettings.of(options));
        } catch (IllegalArgumentException wrong) {
            throw new TransportException(wrong.getMessage(), wrong);
        } catch (IOException noSelector) {
            throw new TransportException(
                    "zeromq: cannot open a selector (" + noSelector.getMessage()
                            + "); raise the limit of open files (ulimit -n)",
                    noSelector);
        }
    }
}
