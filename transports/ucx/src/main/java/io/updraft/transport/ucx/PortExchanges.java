package io.updraft.transport.ucx;

import io.updraft.transport.PolledTimeout;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Connects two sides without RDMA. UCX's own TCP listener aborts the process when a peer connects and sends garbage (1.13.1, an
 * assertion in {@code tcp_sockcm_ep.c}). The public port is therefore a plain socket. A peer that sends a valid
 * {@link PortMessage} there receives another port, at which UCX listens only until the peer has connected. Owner of the transport only.
 */
final class PortExchanges implements AutoCloseable {

    /** Pause between polls, because each costs a system call. */
    private static final long PERIOD_NANOS = 500_000;

    private static final int BACKLOG = 1024;

    private final Selector selector;
    private final long timeoutNanos;
    private final List<Exchange> underWay = new ArrayList<>();
    private long lookedAt = System.nanoTime();

    PortExchanges(long timeoutNanos) throws IOException {
        this.timeoutNanos = timeoutNanos;
        selector = Selector.open();
    }

    /** Listens until {@link #close(ServerSocketChannel)}; peers receive the port of {@code temporary}. */
    ServerSocketChannel listen(InetSocketAddress address, TemporaryListener temporary) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        try {
            server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            server.configureBlocking(false);
            server.bind(address, BACKLOG);
            server.register(selector, SelectionKey.OP_ACCEPT, temporary);
            return server;
        } catch (IOException refused) {
            server.close();
            throw refused;
        }
    }

    void close(ServerSocketChannel server) {
        try {
            server.close();
            // A cancelled key holds its port until the next select.
            selector.selectNow();
        } catch (IOException ignored) {
            // Nothing can be done about a socket that does not close.
        }
    }

    /** Connects to another side, and exchanges ports. */
    void connect(InetSocketAddress address, Consumer<PortMessage> answered, Consumer<String> failed)
            throws IOException {
        SocketChannel socket = SocketChannel.open();
        try {
            socket.configureBlocking(false);
            socket.connect(address);
        } catch (IOException refused) {
            socket.close();
            throw refused;
        }
        Exchange exchange = new Exchange(socket, new PortMessage(0).encoded(), null, answered, failed);
        underWay.add(exchange);
        if (socket.isConnected()) {
            // A connection over the loopback device may complete at once; then the selector reports nothing later.
            exchange.write();
        }
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
            underWay.removeIf(exchange -> exchange.isOver(now));
            return done;
        } catch (IOException failed) {
            throw new IllegalStateException("ucx: cannot poll the sockets", failed);
        }
    }

    private void proceed(SelectionKey key) {
        if (key.attachment() instanceof Exchange exchange) {
            exchange.proceed();
        } else if (key.attachment() instanceof TemporaryListener temporary) {
            accept((ServerSocketChannel) key.channel(), temporary);
        }
    }

    private void accept(ServerSocketChannel server, TemporaryListener temporary) {
        try {
            for (SocketChannel socket = server.accept(); socket != null; socket = server.accept()) {
                socket.configureBlocking(false);
                underWay.add(new Exchange(socket, ByteBuffer.allocate(0), temporary, answer -> {}, why -> {}));
            }
        } catch (IOException ignored) {
            // The peer has disconnected, or there are too many open files; later peers are accepted again.
        }
    }

    @Override
    public void close() {
        underWay.forEach(Exchange::close);
        try {
            selector.close();
        } catch (IOException ignored) {
            // Nothing can be done about a selector that does not close.
        }
    }

    /** A socket over which two sides exchange {@link PortMessage}s; the connecting side sends first. */
    private final class Exchange {

        private final SocketChannel socket;
        private final SelectionKey key;
        private final ByteBuffer out;
        private final TemporaryListener temporary;
        private final Consumer<PortMessage> answered;
        private final Consumer<String> failed;
        private final PolledTimeout timeout = new PolledTimeout(timeoutNanos, System.nanoTime());
        private final ByteBuffer in = ByteBuffer.allocate(PortMessage.BYTES);
        private boolean isOver;

        /**
         * Starts an exchange.
         *
         * @param out the message to send first, as soon as the socket takes it
         * @param temporary expects the peer, whose message is answered with the port; null at the connecting side
         * @param answered receives the answer at the connecting side
         * @param failed receives the reason of a failure
         */
        Exchange(
                SocketChannel socket,
                ByteBuffer out,
                TemporaryListener temporary,
                Consumer<PortMessage> answered,
                Consumer<String> failed)
                throws IOException {
            this.socket = socket;
            this.out = out;
            this.temporary = temporary;
            this.answered = answered;
            this.failed = failed;
            socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
            int ready = socket.isConnected() ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT;
            key = socket.register(selector, ready, this);
        }

        void proceed() {
            try {
                if (key.isConnectable()) {
                    socket.finishConnect();
                    write();
                } else if (key.isReadable()) {
                    read();
                } else if (key.isWritable()) {
                    write();
                }
            } catch (IOException | UcxProtocolException refused) {
                close();
                failed.accept(String.valueOf(refused.getMessage()));
            }
        }

        void write() throws IOException {
            socket.write(out);
            key.interestOps(out.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        }

        private void read() throws IOException, UcxProtocolException {
            if (socket.read(in) < 0) {
                throw new IOException("the connection was closed");
            }
            PortMessage message = PortMessage.decode(in);
            if (message == null) {
                return;
            }
            if (temporary == null) {
                answered.accept(message);
            } else {
                // A dozen bytes into an empty buffer: if they do not fit at once, they never will.
                socket.write(new PortMessage(temporary.open()).encoded());
            }
            close();
        }

        /** Returns whether the exchange is over. A peer that sends nothing is closed after the connect timeout. */
        boolean isOver(long now) {
            if (!isOver && timeout.check(now)) {
                close();
            }
            return isOver;
        }

        /** Idempotent. */
        void close() {
            isOver = true;
            key.cancel();
            try {
                socket.close();
            } catch (IOException ignored) {
                // Nothing can be done about a socket that does not close.
            }
        }
    }
}
