package io.updraft.messaging;

/** {@code storm.messaging.transport: io.updraft.messaging.ZeroMqContext} connects Storm's workers with ZeroMQ. */
public final class ZeroMqContext extends TransportContext {

    /** Creates a context. Storm calls this constructor by reflection. */
    public ZeroMqContext() {
        super("zeromq");
    }
}
