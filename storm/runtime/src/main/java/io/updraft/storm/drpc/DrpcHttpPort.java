package io.updraft.storm.drpc;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.flow.FlowControlHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.updraft.storm.UpdraftDrpc;
import io.updraft.storm.thrift.AllowedUsers;
import io.updraft.storm.thrift.ConnectionLimits;
import io.updraft.storm.thrift.ThriftPort;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Serves DRPC over HTTP on a port. One thread serves all connections, however slowly they send: a half-sent request or a
 * request that waits for its answer holds no thread. {@link ConnectionLimits} closes connections that take too long.
 */
final class DrpcHttpPort implements AutoCloseable {
    private static final ConnectionLimits.Limits LIMITS = new ConnectionLimits.Limits(
            1024, 64, Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofMinutes(5), Duration.ofSeconds(1));
    private static final int BACKLOG = 128;
    private static final int POLL_MILLIS = 500;

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("updraft-drpc-http", true), NioIoHandler.newFactory());
    private final ConnectionLimits<Channel> limits = new ConnectionLimits<>(LIMITS, Channel::close, System::nanoTime);

    private DrpcHttpPort() {}

    /**
     * Opens the port.
     *
     * @param drpc answers the requests
     * @param address the address to listen on
     * @param maxBytes the maximum size of a request's body, in bytes
     * @param users the users of this host who may call
     * @throws IOException when the port cannot be opened; one line for users
     */
    static DrpcHttpPort open(UpdraftDrpc drpc, InetSocketAddress address, int maxBytes, AllowedUsers users)
            throws IOException {
        DrpcHttpPort port = new DrpcHttpPort();
        try {
            port.bind(drpc, address, maxBytes, users);
            return port;
        } catch (BindException e) {
            port.close();
            throw ThriftPort.refusal(address, e);
        } catch (IOException e) {
            port.close();
            throw e;
        }
    }

    private void bind(UpdraftDrpc drpc, InetSocketAddress address, int maxBytes, AllowedUsers users)
            throws IOException {
        ServerBootstrap server = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(new Begins())
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpObjectAggregator(maxBytes))
                                .addLast(new FlowControlHandler())
                                .addLast(new Calls())
                                .addLast(new DrpcHttpHandler(drpc, users));
                    }
                });
        var bound = server.bind(address).awaitUninterruptibly();
        if (bound.cause() instanceof IOException e) {
            throw e;
        } else if (!bound.isSuccess()) {
            throw new IOException(bound.cause());
        }
        loops.next().scheduleWithFixedDelay(limits::expire, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Reports to the limits when a request begins and when its answer is sent. */
    private final class Begins extends ChannelDuplexHandler {
        private boolean within;

        @Override
        public void channelActive(ChannelHandlerContext context) {
            limits.opened(context.channel());
            context.fireChannelActive();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            limits.closed(context.channel());
            context.fireChannelInactive();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object bytes) {
            if (!within) {
                within = true;
                limits.transfers(context.channel());
            }
            context.fireChannelRead(bytes);
        }

        /** Writes the answer, which is one message. */
        @Override
        public void write(ChannelHandlerContext context, Object bytes, ChannelPromise promise) {
            limits.transfers(context.channel());
            context.write(bytes, promise.unvoid().addListener(done -> {
                within = false;
                limits.idles(context.channel());
            }));
        }
    }

    /** Handles the requests of a connection one after the other: the next one is read after the answer to this one is sent. */
    private final class Calls extends ChannelDuplexHandler {
        @Override
        public void channelRead(ChannelHandlerContext context, Object request) {
            if (request instanceof FullHttpRequest) {
                limits.calls(context.channel());
                context.channel().config().setAutoRead(false);
            }
            context.fireChannelRead(request);
        }

        @Override
        public void write(ChannelHandlerContext context, Object answer, ChannelPromise promise) {
            context.write(
                    answer,
                    promise.unvoid()
                            .addListener(done -> context.channel().config().setAutoRead(true)));
        }
    }

    /** Closes the port and its connections. Idempotent. */
    @Override
    public void close() {
        limits.closeAll();
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
