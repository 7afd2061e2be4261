package io.updraft.cli.http;

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
import io.updraft.storm.thrift.ConnectionLimits;
import io.updraft.storm.thrift.ThriftPort;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Serves pages by HTTP on a port. One thread serves all connections, however slowly they send or read; {@link ConnectionLimits}
 * closes those that take too long. Pages are made on at most {@value #MAX_PAGES} other threads: a page that hangs holds up
 * neither the connections nor the pages that are made at once. All threads are daemons.
 */
public final class HttpPort implements AutoCloseable {
    /** Limits for some monitoring systems and a browser: 64 connections, 10 s for a request or an answer, 5 minutes between two. */
    public static final ConnectionLimits.Limits LIMITS = new ConnectionLimits.Limits(
            64, 16, Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofMinutes(5), Duration.ofSeconds(1));

    /** The number of pages that are made at the same time. */
    static final int MAX_PAGES = 4;

    /** The number of requests that wait for pages to be made; with {@link #MAX_PAGES}, fewer than the connections. */
    static final int MAX_WAITING = 32;

    private static final int BACKLOG = 128;
    private static final int POLL_MILLIS = 500;
    private static final int MAX_BODY_BYTES = 8_192;
    private static final int THREAD_IDLE_SECONDS = 10;

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("updraft-http", true), NioIoHandler.newFactory());
    private final ThreadPoolExecutor makers = new ThreadPoolExecutor(
            MAX_PAGES,
            MAX_PAGES,
            THREAD_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            new DefaultThreadFactory("updraft-page", true));
    private final ConnectionLimits<Channel> limits;
    private final Map<String, HttpPage> pages;
    private final Map<String, HttpPage> atOnce;
    private InetSocketAddress address;

    private HttpPort(Map<String, HttpPage> pages, Map<String, HttpPage> atOnce, ConnectionLimits.Limits limits) {
        this.pages = Map.copyOf(pages);
        this.atOnce = Map.copyOf(atOnce);
        this.limits = new ConnectionLimits<>(limits, Channel::close, System::nanoTime);
        makers.allowCoreThreadTimeOut(true);
    }

    /**
     * Opens the port.
     *
     * @param address the address; with port 0, the system chooses a free port
     * @param pages pages by path, made on a thread of their own
     * @param atOnce pages by path that are made without waiting, on the thread that serves the connections
     * @param limits the limits of the connections, such as {@link #LIMITS}
     * @throws IOException when the port cannot be opened; the message is one line for users
     */
    public static HttpPort open(
            InetSocketAddress address,
            Map<String, HttpPage> pages,
            Map<String, HttpPage> atOnce,
            ConnectionLimits.Limits limits)
            throws IOException {
        HttpPort port = new HttpPort(pages, atOnce, limits);
        try {
            port.bind(address);
            return port;
        } catch (BindException e) {
            port.close();
            throw ThriftPort.refusal(address, e);
        } catch (IOException e) {
            port.close();
            throw e;
        }
    }

    private void bind(InetSocketAddress wanted) throws IOException {
        var bound = new ServerBootstrap()
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
                                .addLast(new HttpObjectAggregator(MAX_BODY_BYTES))
                                .addLast(new FlowControlHandler())
                                .addLast(new Calls())
                                .addLast(new HttpPageHandler(pages, atOnce, makers));
                    }
                })
                .bind(wanted)
                .awaitUninterruptibly();
        if (bound.cause() instanceof IOException e) {
            throw e;
        } else if (!bound.isSuccess()) {
            throw new IOException(bound.cause());
        }
        address = (InetSocketAddress) bound.channel().localAddress();
        loops.next().scheduleWithFixedDelay(limits::expire, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** {@return the beginning of the addresses of the pages, such as {@code http://localhost:9464}} */
    public String url() {
        InetAddress host = address.getAddress();
        String name = host.isLoopbackAddress()
                ? "localhost"
                : host instanceof Inet6Address ? "[" + host.getHostAddress() + "]" : host.getHostAddress();
        return "http://" + name + ":" + address.getPort();
    }

    int port() {
        return address.getPort();
    }

    /** Closes the port and its connections. Idempotent. */
    @Override
    public void close() {
        limits.closeAll();
        makers.shutdownNow();
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
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
}
