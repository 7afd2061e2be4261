package io.updraft.messaging;

/** {@code storm.messaging.transport: io.updraft.messaging.NettyContext} lets Storm's workers talk over Netty, that is TCP. */
public final class NettyContext extends TransportContext {

    /** Creates a context; Storm does, by reflection. */
    public NettyContext() {
        super("netty");
    }
}
