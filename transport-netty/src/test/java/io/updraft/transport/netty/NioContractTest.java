package io.updraft.transport.netty;

import java.util.Map;

final class NioContractTest extends NettyContract {

    NioContractTest() {
        super(Io.NIO, Map.of());
    }
}
