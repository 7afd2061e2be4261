package io.updraft.transport.ucx;

import io.updraft.transport.Transport;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.TransportProvider;
import java.io.IOException;

/** Creates transports over UCX: RDMA where there is a device, else shared memory or TCP. Requires the system's UCX library. */
public final class UcxTransportProvider implements TransportProvider {

    /** The name by which a configuration selects this transport. */
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
            throw new TransportException("ucx: cannot open a socket (" + refused.getMessage() + ")", refused);
        }
    }
}
