package io.updraft.messaging;

/** {@code storm.messaging.transport: io.updraft.messaging.NettyContext} connects Storm's workers with Netty: TCP. */
public final class NettyContext extends TransportContext {

    /** Creates a context. Storm calls this constructor by reflection. */
    public NettyContext() {
        super("netty");
    }
}
