package io.updraft.storm.thrift;

import io.updraft.base.net.ConnectionLimits;
import io.updraft.base.net.PortRefusal;
import io.updraft.base.thread.DaemonThreads;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One Thrift service on a port, compatible with Storm's own servers: the binary protocol over a transport of {@link
 * ThriftSecurity}.
 *
 * <p>A silent connection waits in a selector and holds no thread. From the first byte of a request to the last byte of its
 * answer, the connection has its own thread. A client that sends half a frame thus delays no other client. {@link
 * ConnectionLimits} closes connections that take too long, and the slowest connection if there are too many. A frame longer
 * than the limit closes its connection before any of it is read.
 */
public final class ThriftPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ThriftPort.class);

    /** Clients may keep a connection for their next call. TCP keep-alive detects a host that is gone. */
    private static final ConnectionLimits.Limits LIMITS = new ConnectionLimits.Limits(
            1024, 64, Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofHours(24), Duration.ofSeconds(1));

    /** The maximum number of concurrent requests; each may block, for example until a DRPC answer comes. */
    private static final int MAX_CALLS = 512;

    private static final int BACKLOG = 128;
    private static final int POLL_MILLIS = 500;
    /** How long the port stops accepting and reading when it is out of threads or file descriptors. */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final InetSocketAddress address;
    private final ServerSocketChannel listener;
    private final Selector selector;
    private final ThriftService service;
    private final ConnectionLimits<ThriftConnection> limits =
            new ConnectionLimits<>(LIMITS, ThriftConnection::close, System::nanoTime);
    private final ThreadPoolExecutor calls;

    /** Answered connections, passed from the threads of the pool to that of the selector. */
    private final Queue<ThriftConnection> answered = new ConcurrentLinkedQueue<>();

    private final Thread thread;
    private volatile boolean closing;
    private boolean full;

    private ThriftPort(String name, ServerSocketChannel listener, ThriftService service) throws IOException {
        this.address = (InetSocketAddress) listener.getLocalAddress();
        this.listener = listener;
        this.service = service;
        this.selector = Selector.open();
        this.calls = pool(name);
        this.thread = DaemonThreads.create(name, this::run);
    }

    /** Serves a bound socket, which is closed with the port, and if the port cannot be served. */
    public static ThriftPort serve(String name, ServerSocketChannel listener, ThriftService service)
            throws IOException {
        try {
            listener.configureBlocking(false);
            ThriftPort port = new ThriftPort(name, listener, service);
            listener.register(port.selector, SelectionKey.OP_ACCEPT);
            port.thread.start();
            return port;
        } catch (IOException e) {
            listener.close();
            throw e;
        }
    }

    public InetSocketAddress address() {
        return address;
    }

    /** {@return the users of this host whose calls are answered, as words; null if every client is answered} */
    public String users() {
        return service.users().describe();
    }

    private void run() {
        try {
            while (!closing) {
                selector.select(this::ready, POLL_MILLIS);
                waitForMore();
                limits.expire();
                if (full) {
                    full = false;
                    LockSupport.parkNanos(RETRY_NANOS);
                }
            }
        } catch (IOException | RuntimeException e) {
            if (!closing) {
                LOG.error("port {} is closed after an error", address, e);
            }
        } finally {
            limits.closeAll();
        }
    }

    private void ready(SelectionKey key) {
        if (key.attachment() instanceof ThriftConnection connection) {
            key.cancel();
            answer(connection);
        } else {
            accept();
        }
    }

    private void accept() {
        try {
            SocketChannel channel = listener.accept();
            if (channel != null) {
                channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
                ThriftConnection connection = new ThriftConnection(channel, service, limits);
                limits.opened(connection);
                waitFor(connection);
            }
        } catch (ClosedChannelException e) {
            LOG.debug("port {} is closed", address);
        } catch (IOException e) {
            // Most likely out of file descriptors.
            LOG.warn("cannot accept a connection to port {}: {}", address, e.getMessage());
            limits.closeOne();
            full = true;
        }
    }

    private void waitForMore() throws IOException {
        List<ThriftConnection> again = new ArrayList<>();
        for (ThriftConnection each = answered.poll(); each != null; each = answered.poll()) {
            again.add(each);
        }
        if (!again.isEmpty()) {
            // The keys of these connections are cancelled. A channel cannot be registered again until a select has
            // removed its cancelled key.
            selector.selectNow(key -> {});
            again.forEach(this::waitFor);
        }
    }

    private void waitFor(ThriftConnection connection) {
        try {
            connection.channel().configureBlocking(false);
            connection.channel().register(selector, SelectionKey.OP_READ, connection);
        } catch (IOException | CancelledKeyException e) {
            connection.close();
        }
    }

    private void answer(ThriftConnection connection) {
        try {
            connection.channel().configureBlocking(true);
            calls.execute(() -> {
                if (connection.answer()) {
                    answered.add(connection);
                    selector.wakeup();
                }
            });
        } catch (RejectedExecutionException e) {
            limits.closeSlowest();
            full = true;
            answered.add(connection);
        } catch (IOException e) {
            connection.close();
        }
    }

    /** Closes the port and its connections. Idempotent. */
    @Override
    public void close() {
        closing = true;
        try {
            listener.close();
            selector.wakeup();
            calls.shutdownNow();
            thread.join(TimeUnit.SECONDS.toMillis(2));
            limits.closeAll();
            selector.close();
        } catch (IOException e) {
            LOG.warn("cannot close port {}: {}", address, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Binds a port; port 0 binds any free port. The message of a {@link BindException} is one line for users. */
    public static ServerSocketChannel bind(InetSocketAddress address) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            return channel.bind(address, BACKLOG);
        } catch (BindException e) {
            channel.close();
            throw PortRefusal.of(address, e);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static ThreadPoolExecutor pool(String name) {
        AtomicInteger number = new AtomicInteger();
        return new ThreadPoolExecutor(
                0,
                MAX_CALLS,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                job -> DaemonThreads.create(name + "-" + number.incrementAndGet(), job));
    }
}
