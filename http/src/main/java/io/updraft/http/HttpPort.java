package io.updraft.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.updraft.base.net.ConnectionLimits;
import io.updraft.base.net.PortRefusal;
import java.io.IOException;
import java.net.BindException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Serves pages by HTTP on a port. One thread serves all connections, however slowly they send or read; {@link ConnectionLimits}
 * closes those that take too long. Pages are made on at most {@value #MAX_PAGES} other threads: a page that hangs holds up
 * neither the connections nor the pages that are made at once. One more thread reads the files that are downloaded. All threads
 * are daemons.
 */
public final class HttpPort implements AutoCloseable {
    /** Limits for some monitoring systems and a browser: 64 connections, 10 s for a request or an answer, 5 minutes between two. */
    public static final ConnectionLimits.Limits LIMITS = new ConnectionLimits.Limits(
            64, 16, Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofMinutes(5), Duration.ofSeconds(1));

    /** The number of pages that are made at the same time. A profile or a heap dump of the console holds one until it is written. */
    static final int MAX_PAGES = 16;

    /** The number of requests that wait for pages to be made; with {@link #MAX_PAGES}, fewer than the connections. */
    static final int MAX_WAITING = 32;

    private static final int BACKLOG = 128;
    private static final int POLL_MILLIS = 500;
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
    private final ThreadPoolExecutor readers = new ThreadPoolExecutor(
            1,
            1,
            THREAD_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            new DefaultThreadFactory("updraft-file", true));
    private final AnswerSender sender = new AnswerSender(readers);
    private final ConnectionLimits<Channel> limits;
    private final ConnectionLimits<Channel> strangers;
    private final HttpSite site;
    private InetSocketAddress address;

    private HttpPort(HttpSite site) {
        this.site = site;
        this.limits = new ConnectionLimits<>(site.limits(), Channel::close, System::nanoTime);
        this.strangers = new ConnectionLimits<>(site.limits(), Channel::close, System::nanoTime);
        makers.allowCoreThreadTimeOut(true);
        readers.allowCoreThreadTimeOut(true);
    }

    /**
     * Opens the port.
     *
     * @param address the address; with port 0, the system chooses a free port
     * @param site what the port serves, and to whom
     * @return the open port
     * @throws IOException when the port cannot be opened; the message is one line for users
     */
    public static HttpPort open(InetSocketAddress address, HttpSite site) throws IOException {
        HttpPort port = new HttpPort(site);
        try {
            port.bind(address);
            return port;
        } catch (BindException e) {
            port.close();
            throw PortRefusal.of(address, e);
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
                        if (site.tls() != null) {
                            channel.pipeline().addLast(site.tls().context().newHandler(channel.alloc()));
                        }
                        boolean stranger = site.filter().isStranger(channel.remoteAddress(), channel.localAddress());
                        new HttpConnection(channel, stranger ? strangers : limits).addTo(channel.pipeline());
                        channel.pipeline().addLast(new HttpPageHandler(site, makers, sender));
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
        for (ConnectionLimits<Channel> each : List.of(limits, strangers)) {
            loops.next().scheduleWithFixedDelay(each::expire, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** {@return the beginning of the addresses of the pages, such as {@code http://localhost:9464}} */
    public String url() {
        InetAddress host = address.getAddress();
        String name = host.isLoopbackAddress()
                ? "localhost"
                : host instanceof Inet6Address ? "[" + host.getHostAddress() + "]" : host.getHostAddress();
        return (site.tls() == null ? "http://" : "https://") + name + ":" + address.getPort();
    }

    /** {@return the number of the port} */
    public int port() {
        return address.getPort();
    }

    /** Closes the port and its connections. Idempotent. */
    @Override
    public void close() {
        limits.closeAll();
        strangers.closeAll();
        makers.shutdownNow();
        readers.shutdown();
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
