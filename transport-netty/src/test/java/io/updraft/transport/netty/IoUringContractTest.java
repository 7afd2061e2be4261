package io.updraft.transport.netty;

import java.util.Map;

final class IoUringContractTest extends NettyContract {

    IoUringContractTest() {
        super(Io.IO_URING, Map.of());
    }
}
