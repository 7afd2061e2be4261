package io.updraft.transport.aeron;

import io.updraft.transport.TransportProvider;
import io.updraft.transport.contract.TransportContract;

/** The contract with a driver for each transport, as in workers on several hosts. */
final class AeronUdpContractTest extends TransportContract {

    @Override
    protected TransportProvider provider() {
        return new AeronProvider();
    }

    /** Each channel is four files to map and a dozen counters; two drivers take seconds for hundreds. */
    @Override
    protected int manyChannels() {
        return 100;
    }
}
