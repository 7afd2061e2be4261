package io.updraft.transport.netty;

import java.util.Map;

final class EpollContractTest extends NettyContract {

    EpollContractTest() {
        super(Io.EPOLL, Map.of());
    }
}
