package io.updraft.transport.ucx;

final class TcpContractTest extends UcxContract {

    TcpContractTest() {
        super("tcp");
    }
}
