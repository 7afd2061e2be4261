package io.updraft.transport.ucx;

final class SharedMemoryContractTest extends UcxContract {

    SharedMemoryContractTest() {
        super("shm");
    }
}
