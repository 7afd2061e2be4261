package io.updraft.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;

/**
 * Receives Netty's events of one connection: the last handler of its pipeline. Owner only.
 *
 * <p>Netty's events may occur while the owner awaits or sends. They are then deferred until the next poll, because the user's
 * handler is called from within poll only.
 */
final class NettyEvents extends ChannelInboundHandlerAdapter {

    private final NettyTransport transport;
    private final NettyChannel channel;
    private final boolean secured;

    /** Creates the handler that forwards the events of a connection to a channel. */
    NettyEvents(NettyTransport transport, NettyChannel channel) {
        this.transport = transport;
        this.channel = channel;
        secured = transport.settings.tls().isPresent();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        channel.connection(context.channel());
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (!secured) {
            transport.inOrder(channel::open);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                transport.inOrder(channel::open);
            } else {
                transport.inOrder(() -> channel.fail(handshake.cause()));
            }
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        transport.inOrder(new Read(channel, (ByteBuf) message));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        transport.inOrder(() -> channel.fail(failure));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        transport.inOrder(() -> channel.end("closed by " + channel.peer()));
    }

    private record Read(NettyChannel channel, ByteBuf bytes) implements NettyTransport.Event {

        @Override
        public void run() {
            channel.read(bytes);
        }

        @Override
        public void drop() {
            bytes.release();
        }
    }
}
