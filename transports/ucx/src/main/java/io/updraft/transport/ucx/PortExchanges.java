package io.updraft.transport.ucx;

import io.updraft.transport.PolledTimeout;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Connects two sides without RDMA. UCX's own TCP listener aborts the process when a peer connects and sends garbage (1.13.1, an
 * assertion in {@code tcp_sockcm_ep.c}). The public port is therefore a plain socket. A peer that sends a valid card there
 * receives another port, at which UCX listens only until the peer has connected. Owner of the transport only.
 */
final class PortExchanges implements AutoCloseable {

    /** Pause between polls, because each costs a system call. */
    private static final long PERIOD_NANOS = 500_000;

    private static final int BACKLOG = 1024;

    private final Selector selector;
    private final long timeoutNanos;
    private final List<PortExchange> underWay = new ArrayList<>();
    private long lookedAt = System.nanoTime();

    PortExchanges(long timeoutNanos) throws IOException {
        this.timeoutNanos = timeoutNanos;
        selector = Selector.open();
    }

    /**
     * Listens until the door is closed.
     *
     * @return the port
     */
    int listen(InetSocketAddress address, TemporaryListener door) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.configureBlocking(false);
            server.bind(address, BACKLOG);
            SelectionKey key = server.register(selector, SelectionKey.OP_ACCEPT, door);
            door.closesWith(() -> close(server, key));
        } catch (IOException refused) {
            server.close();
            throw refused;
        }
        return server.socket().getLocalPort();
    }

    private void close(ServerSocketChannel server, SelectionKey key) {
        try {
            key.cancel();
            server.close();
            // A cancelled key holds its port until the next select.
            selector.selectNow();
        } catch (IOException ignored) {
            // Nothing can be done about a socket that does not close.
        }
    }

    /** Connects to another side, and exchanges cards. */
    void connect(InetSocketAddress address, Consumer<PortMessage> shown, Consumer<String> failed) throws IOException {
        SocketChannel socket = SocketChannel.open();
        try {
            socket.configureBlocking(false);
            socket.connect(address);
        } catch (IOException refused) {
            socket.close();
            throw refused;
        }
        PortExchange introduction = begin(
                socket,
                card -> {
                    shown.accept(card);
                    return null;
                },
                failed);
        introduction.show(new PortMessage(0));
        if (socket.isConnected()) {
            // A connection over the loopback device may complete at once; then the selector reports nothing later.
            introduction.proceedConnected();
        }
    }

    private PortExchange begin(SocketChannel socket, PortExchange.CardHandler handler, Consumer<String> failed)
            throws IOException {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        PortExchange begun = new PortExchange(
                socket,
                socket.register(selector, 0),
                handler,
                failed,
                new PolledTimeout(timeoutNanos, System.nanoTime()));
        underWay.add(begun);
        return begun;
    }

    /** Returns the number of sockets that were ready. */
    int poll() {
        long now = System.nanoTime();
        if (now - lookedAt < PERIOD_NANOS) {
            return 0;
        }
        lookedAt = now;
        try {
            int done = selector.selectNow(this::proceed);
            underWay.removeIf(introduction -> introduction.isOver(now));
            return done;
        } catch (IOException failed) {
            throw new IllegalStateException("ucx: cannot poll the sockets", failed);
        }
    }

    private void proceed(SelectionKey key) {
        if (key.attachment() instanceof PortExchange introduction) {
            introduction.proceed();
        } else if (key.attachment() instanceof TemporaryListener door) {
            accept((ServerSocketChannel) key.channel(), door);
        }
    }

    private void accept(ServerSocketChannel server, TemporaryListener door) {
        try {
            for (SocketChannel socket = server.accept(); socket != null; socket = server.accept()) {
                socket.configureBlocking(false);
                begin(socket, card -> new PortMessage(door.open()), why -> {});
            }
        } catch (IOException ignored) {
            // The peer has disconnected, or there are too many open files; later peers are accepted again.
        }
    }

    @Override
    public void close() {
        underWay.forEach(PortExchange::close);
        try {
            selector.close();
        } catch (IOException ignored) {
            // Nothing can be done about a selector that does not close.
        }
    }
}
