package io.updraft.transport.zeromq;

import io.updraft.transport.TransportProvider;
import io.updraft.transport.contract.TransportContract;

final class ZeroMqContractTest extends TransportContract {

    @Override
    protected TransportProvider provider() {
        return new ZeroMqProvider();
    }
}
