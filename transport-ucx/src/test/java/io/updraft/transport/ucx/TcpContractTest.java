package io.updraft.transport.ucx;

import org.junit.jupiter.api.Tag;

/** {@link SharedMemoryContractTest} is what runs each day. */
@Tag("long")
final class TcpContractTest extends UcxContract {

    TcpContractTest() {
        super("tcp");
    }
}
