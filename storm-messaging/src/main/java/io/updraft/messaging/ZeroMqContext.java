package io.updraft.messaging;

/** {@code storm.messaging.transport: io.updraft.messaging.ZeroMqContext} lets Storm's workers talk over ZeroMQ. */
public final class ZeroMqContext extends TransportContext {

    /** Creates a context; Storm does, by reflection. */
    public ZeroMqContext() {
        super("zeromq");
    }
}
