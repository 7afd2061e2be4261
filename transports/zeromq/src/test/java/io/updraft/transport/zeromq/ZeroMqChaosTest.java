package io.updraft.transport.zeromq;

import io.updraft.transport.TransportProvider;
import io.updraft.transport.contract.ChaosContract;

/** Sessions over ZeroMQ while everything goes wrong. */
final class ZeroMqChaosTest extends ChaosContract {

    @Override
    protected TransportProvider provider() {
        return new ZeroMqProvider();
    }

    @Override
    protected RawPort rawPort() {
        return RawPort.TCP;
    }

    /** Each is a socket with five file descriptors, and its transport looks at each of them in turn. */
    @Override
    protected int manyPeers() {
        return 30;
    }

    @Override
    protected int veryManyPeers() {
        return 300;
    }
}
