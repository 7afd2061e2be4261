package io.updraft.transport.ucx;

import io.updraft.transport.TransportProvider;
import io.updraft.transport.contract.TransportContract;
import java.util.Map;
import java.util.Optional;

/** The contract, on whatever UCX is told to use. */
abstract class UcxContract extends TransportContract {

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
        return Map.of(UcxSettings.TLS, tls);
    }

    @Override
    protected final Optional<String> whyNotHere() {
        return Libucx.whyNotHere();
    }
}
