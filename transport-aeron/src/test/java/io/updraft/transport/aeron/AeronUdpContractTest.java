package io.updraft.transport.aeron;

import io.updraft.transport.TransportProvider;
import io.updraft.transport.contract.TransportContract;

/** Each transport with a driver of its own, as workers on several hosts have. */
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
