package io.updraft.http;

import io.netty.channel.Channel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.updraft.base.net.ConnectionLimits;
import java.io.IOException;
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

    private static final int POLL_MILLIS = 500;
    private static final int THREAD_IDLE_SECONDS = 10;

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
    private HttpListener listener;

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
        port.listener = HttpListener.open(site.thread(), address, port::accept);
        List.of(port.limits, port.strangers).forEach(each -> port.listener.repeat(each::expire, POLL_MILLIS));
        return port;
    }

    private void accept(Channel channel) {
        if (site.tls() != null) {
            site.tls().addTo(channel);
        }
        HttpFilter filter = site.filter().ofConnection();
        boolean stranger = filter.isStranger(
                (InetSocketAddress) channel.remoteAddress(), (InetSocketAddress) channel.localAddress());
        new HttpConnection(channel, stranger ? strangers : limits, site.maxBody()).addTo(channel.pipeline());
        channel.pipeline().addLast(new HttpPageHandler(site, filter, makers, sender));
    }

    /** {@return the beginning of the addresses of the pages, such as {@code http://localhost:9464}} */
    public String url() {
        InetAddress host = listener.address().getAddress();
        String name = host.isLoopbackAddress()
                ? "localhost"
                : host instanceof Inet6Address ? "[" + host.getHostAddress() + "]" : host.getHostAddress();
        return (site.tls() == null ? "http://" : "https://") + name + ":" + port();
    }

    /** {@return the number of the port} */
    public int port() {
        return listener.address().getPort();
    }

    /** Closes the port and its connections. Idempotent. */
    @Override
    public void close() {
        listener.stop();
        limits.closeAll();
        strangers.closeAll();
        makers.shutdownNow();
        readers.shutdown();
        listener.close();
    }
}
