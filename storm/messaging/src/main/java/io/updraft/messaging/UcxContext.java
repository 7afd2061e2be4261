package io.updraft.messaging;

/**
 * {@code storm.messaging.transport: io.updraft.messaging.UcxContext} connects Storm's workers with UCX: RDMA, shared memory or
 * TCP.
 */
public final class UcxContext extends TransportContext {

    /** Creates a context. Storm calls this constructor by reflection. */
    public UcxContext() {
        super("ucx");
    }
}
