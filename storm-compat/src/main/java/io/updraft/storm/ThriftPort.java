package io.updraft.storm;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
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
 * One Thrift service on a port, as Storm's own servers speak it: the binary protocol over what {@link ThriftSecurity} says.
 *
 * <p>A connection that says nothing waits in a selector and costs no thread. From a request's first byte to the answer's last one it
 * has a thread, so that one that sends half a frame holds up nobody else; {@link ConnectionLimits} closes those that take too long,
 * and the slowest where there are too many. A frame that says it is longer than allowed closes its connection before any of it is read.
 */
final class ThriftPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ThriftPort.class);

    /** Clients may keep a connection for their next call; that a host has gone is found out by keep-alive. */
    private static final ConnectionLimits.Limits LIMITS = new ConnectionLimits.Limits(
            1024, 64, Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofHours(24), Duration.ofSeconds(1));

    /** Requests that are worked off at once; each may wait, as for an answer of DRPC. */
    private static final int MOST_CALLS = 512;

    private static final int BACKLOG = 128;
    private static final int LOOK_MILLIS = 500;
    /** For so long nothing is accepted or read when threads or files have run out. */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final InetSocketAddress address;
    private final ServerSocketChannel listener;
    private final Selector selector;
    private final ThriftService service;
    private final ConnectionLimits<ThriftConnection> limits =
            new ConnectionLimits<>(LIMITS, ThriftConnection::close, System::nanoTime);
    private final ThreadPoolExecutor calls;

    /** Connections that have had an answer, from the pool's threads to the selector's. */
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
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /**
     * Serves a port that was bound.
     *
     * @param name names the threads
     * @param listener where clients connect; closed with this, and when it cannot be served
     * @param service what is offered
     */
    static ThriftPort serve(String name, ServerSocketChannel listener, ThriftService service) throws IOException {
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

    /** {@return where it listens} */
    InetSocketAddress address() {
        return address;
    }

    /** {@return which users of this host are answered, as words; null for whoever can connect} */
    String users() {
        return service.users().describe();
    }

    /** The selector's thread. */
    private void run() {
        try {
            while (!closing) {
                selector.select(this::ready, LOOK_MILLIS);
                waitForMore();
                limits.expire();
                if (full) {
                    full = false;
                    LockSupport.parkNanos(RETRY_NANOS);
                }
            }
        } catch (IOException | RuntimeException e) {
            if (!closing) {
                LOG.error("port {} is listened to no more", address, e);
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
            // Out of open files, most likely.
            LOG.warn("a connection to port {} cannot be accepted: {}", address, e.getMessage());
            limits.makeRoom();
            full = true;
        }
    }

    private void waitForMore() throws IOException {
        List<ThriftConnection> again = new ArrayList<>();
        for (ThriftConnection each = answered.poll(); each != null; each = answered.poll()) {
            again.add(each);
        }
        if (!again.isEmpty()) {
            // The keys of all of these are cancelled, and keep their channels from being registered until they are
            // selected for.
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

    /** Listens no more and closes the connections. Idempotent. */
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
            LOG.warn("port {} could not be closed: {}", address, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Binds a port; port 0 for any that is free.
     *
     * @throws BindException when the address is in use or not of this host; the message is one line for users
     * @throws IOException when it cannot be listened to for another reason
     */
    static ServerSocketChannel bind(InetSocketAddress address) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            return channel.bind(address, BACKLOG);
        } catch (BindException e) {
            channel.close();
            throw refusal(address, e);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    static BindException refusal(InetSocketAddress address, BindException e) {
        InetAddress host = address.getAddress();
        BindException refusal = new BindException("port " + address.getPort() + " of "
                + (host == null ? address.getHostString() : host.getHostAddress())
                + " cannot be listened to: " + e.getMessage() + "; is another server running there?");
        refusal.initCause(e);
        return refusal;
    }

    private static ThreadPoolExecutor pool(String name) {
        AtomicInteger number = new AtomicInteger();
        return new ThreadPoolExecutor(0, MOST_CALLS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), job -> {
            Thread thread = new Thread(job, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }
}
