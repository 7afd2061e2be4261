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
 * Brings two sides together where there is no RDMA. What UCX listens with over TCP aborts the process when somebody connects and
 * sends garbage (1.13.1, an assertion in {@code tcp_sockcm_ep.c}). So the port that everybody knows is a plain socket of ours; who
 * introduces himself properly there is told another port, at which UCX listens only until he has come. Owner of the transport
 * only.
 */
final class Introductions implements AutoCloseable {

    /** Looking costs a system call; so often is often enough. */
    private static final long PERIOD_NANOS = 500_000;

    private static final int BACKLOG = 1024;

    private final Selector selector;
    private final long timeoutNanos;
    private final List<Introduction> underWay = new ArrayList<>();
    private long lookedAt = System.nanoTime();

    Introductions(long timeoutNanos) throws IOException {
        this.timeoutNanos = timeoutNanos;
        selector = Selector.open();
    }

    /**
     * Listens until the door is closed.
     *
     * @return the port
     */
    int listen(InetSocketAddress address, Door door) throws IOException {
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
            // Until it has been selected for, a cancelled key holds the port.
            selector.selectNow();
        } catch (IOException ignored) {
            // There is nothing more to be done with it.
        }
    }

    /** Introduces this side to another. */
    void connect(InetSocketAddress address, Consumer<Card> shown, Consumer<String> failed) throws IOException {
        SocketChannel socket = SocketChannel.open();
        try {
            socket.configureBlocking(false);
            socket.connect(address);
        } catch (IOException refused) {
            socket.close();
            throw refused;
        }
        Introduction introduction = begin(
                socket,
                card -> {
                    shown.accept(card);
                    return null;
                },
                failed);
        introduction.show(new Card(0));
        if (socket.isConnected()) {
            // Over the loopback device that can be at once; then nothing would say so later.
            introduction.proceedConnected();
        }
    }

    private Introduction begin(SocketChannel socket, Introduction.CardHandler handler, Consumer<String> failed)
            throws IOException {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        Introduction begun = new Introduction(
                socket,
                socket.register(selector, 0),
                handler,
                failed,
                new PolledTimeout(timeoutNanos, System.nanoTime()));
        underWay.add(begun);
        return begun;
    }

    /** Returns how many sockets were ready. */
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
            throw new IllegalStateException("ucx: the sockets cannot be polled", failed);
        }
    }

    private void proceed(SelectionKey key) {
        if (key.attachment() instanceof Introduction introduction) {
            introduction.proceed();
        } else if (key.attachment() instanceof Door door) {
            accept((ServerSocketChannel) key.channel(), door);
        }
    }

    private void accept(ServerSocketChannel server, Door door) {
        try {
            for (SocketChannel socket = server.accept(); socket != null; socket = server.accept()) {
                socket.configureBlocking(false);
                begin(socket, card -> new Card(door.open()), why -> {});
            }
        } catch (IOException ignored) {
            // Whoever knocked has gone; or there are too many open files, and who knocks next will be heard.
        }
    }

    @Override
    public void close() {
        underWay.forEach(Introduction::close);
        try {
            selector.close();
        } catch (IOException ignored) {
            // There is nothing more to be done with it.
        }
    }
}
