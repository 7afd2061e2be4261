package io.updraft.transport.aeron;

import io.updraft.transport.TransportProvider;
import io.updraft.transport.contract.ChaosContract;

/** Sessions over UDP under random faults, each transport with its own driver. */
final class AeronChaosTest extends ChaosContract {

    @Override
    protected TransportProvider provider() {
        return new AeronProvider();
    }

    @Override
    protected RawPort rawPort() {
        return RawPort.UDP;
    }

    /** Each is four files to map, in the driver's one thread. */
    @Override
    protected int manyStrangers() {
        return 10;
    }

    @Override
    protected int manyPeers() {
        return 30;
    }

    @Override
    protected int veryManyPeers() {
        return 200;
    }
}
