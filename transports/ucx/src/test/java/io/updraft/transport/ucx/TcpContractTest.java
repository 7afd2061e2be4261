package io.updraft.transport.ucx;

import org.junit.jupiter.api.Tag;

/** The contract over TCP. The daily build runs {@link SharedMemoryContractTest}. */
@Tag("long")
final class TcpContractTest extends UcxContract {

    TcpContractTest() {
        super("tcp");
    }
}
