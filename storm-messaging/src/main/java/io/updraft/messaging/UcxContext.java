package io.updraft.messaging;

/** {@code storm.messaging.transport: io.updraft.messaging.UcxContext} lets Storm's workers talk over UCX, that is RDMA, shared memory or TCP. */
public final class UcxContext extends TransportContext {

    /** Creates a context; Storm does, by reflection. */
    public UcxContext() {
        super("ucx");
    }
}
