package io.updraft.transport.ucx;

import java.util.Optional;

/** Requires an RDMA device: {@code src/vm/rdma-test} runs this test on a software device in a virtual machine. */
final class RcContractTest extends UcxContract {

    RcContractTest() {
        super("rc");
    }

    @Override
    protected Optional<String> whyNotHere() {
        return super.whyNotHere()
                .or(() -> RdmaPort.all().stream().anyMatch(RdmaPort::isActive)
                        ? Optional.empty()
                        : Optional.of("there is no RDMA device here; transports/ucx/src/vm/rdma-test makes one"));
    }

    /** Each costs queues in the device, and a second when it is emulated. */
    @Override
    protected int manyChannels() {
        return 20;
    }
}
