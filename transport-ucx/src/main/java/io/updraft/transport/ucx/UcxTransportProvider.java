package io.updraft.transport.ucx;

import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.TransportProvider;
import java.io.IOException;

/** Makes transports over UCX: RDMA where there is a device, shared memory or TCP where not. Needs the system's UCX. */
public final class UcxTransportProvider implements TransportProvider {

    /** By this name a configuration chooses it. */
    public static final String NAME = "ucx";

    /** Creates the provider. */
    public UcxTransportProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Transport create(TransportOptions options) throws TransportException {
        UcxSettings settings = UcxSettings.of(options.conf());
        Ucx ucx = Ucx.open(settings);
        try {
            return new UcxTransport(options, settings, ucx);
        } catch (IOException refused) {
            ucx.close();
            throw new TransportException(
                    "ucx: the system gives no more sockets (" + refused.getMessage() + ")", refused);
        }
    }
}
