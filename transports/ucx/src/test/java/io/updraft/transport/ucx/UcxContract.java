package io.updraft.transport.ucx;

import io.updraft.transport.Address;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.TransportProvider;
import io.updraft.transport.contract.TransportContract;
import java.util.Map;
import java.util.Optional;

/** The contract, on the configured UCX transports. */
abstract class UcxContract extends TransportContract {

    /** System property: the address of an RDMA device, which is never that of the loopback device. */
    static final String RDMA_ADDRESS = "updraft.rdma.address";

    /** System property: how long connecting may take, where the machine itself is emulated. */
    static final String CONNECT_MS = "updraft.test.connect.ms";

    private final String tls;

    UcxContract(String tls) {
        this.tls = tls;
    }

    @Override
    protected final TransportProvider provider() {
        return new UcxTransportProvider();
    }

    @Override
    protected final Map<String, Object> conf() {
        return Map.of(UcxSettings.TLS, tls, TransportOptions.CONNECT_TIMEOUT, Integer.getInteger(CONNECT_MS, 20_000));
    }

    @Override
    protected Optional<String> whyNotHere() {
        return Libucx.whyNotHere();
    }

    @Override
    protected final Address anyPort() {
        return new Address(System.getProperty(RDMA_ADDRESS, "127.0.0.1"), 0);
    }
}
