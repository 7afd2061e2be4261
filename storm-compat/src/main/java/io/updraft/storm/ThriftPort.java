package io.updraft.storm;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.thrift.TProcessor;
import org.apache.storm.thrift.protocol.TBinaryProtocol;
import org.apache.storm.thrift.server.TServer;
import org.apache.storm.thrift.server.TThreadPoolServer;
import org.apache.storm.thrift.transport.TServerSocket;
import org.apache.storm.thrift.transport.TSocket;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.thrift.transport.TTransportFactory;

/**
 * One Thrift service on a port, as Storm's own servers speak it: the binary protocol over what {@link ThriftSecurity} says.
 *
 * <p>A connection has a thread, so that one that sends half a frame, or nothing, holds up nobody else; a frame that says it
 * is longer than allowed closes its connection before any of it is read. Connections beyond the limit are closed at once.
 */
final class ThriftPort implements AutoCloseable {

    private static final int MOST_CONNECTIONS = 512;
    /** Long, since clients may keep a connection for their next call; that a host has gone is found out by keep-alive. */
    private static final int IDLE_MILLIS = (int) TimeUnit.HOURS.toMillis(24);

    private static final int STOP_MILLIS = 200;
    private static final int BACKLOG = 128;

    private final InetSocketAddress address;
    private final TServer server;
    private final Connections sockets;
    private final Thread acceptor;
    private final ThreadPoolExecutor connections;

    private ThriftPort(String name, Connections sockets, TServer server, ThreadPoolExecutor connections) {
        this.address = (InetSocketAddress) sockets.getServerSocket().getLocalSocketAddress();
        this.sockets = sockets;
        this.server = server;
        this.connections = connections;
        this.acceptor = new Thread(this::accept, name);
        acceptor.setDaemon(true);
    }

    /**
     * Serves a port that was bound.
     *
     * @param name names the threads
     * @param socket where clients connect; closed with this, and when it cannot be served
     * @param mostBytes the longest text, and the most elements of a list, that are read
     * @param transports what is spoken, beneath Thrift's binary protocol
     * @param service what answers, on the connections' threads
     */
    static ThriftPort serve(
            String name, ServerSocket socket, int mostBytes, TTransportFactory transports, TProcessor service)
            throws IOException {
        try {
            ThreadPoolExecutor connections = pool(name);
            Connections sockets = new Connections(socket);
            TServer server = new TThreadPoolServer(new TThreadPoolServer.Args(sockets)
                    .processor(new KnownCallers(service))
                    .transportFactory(transports)
                    .protocolFactory(new TBinaryProtocol.Factory(false, true, mostBytes, mostBytes))
                    .executorService(connections)
                    .stopTimeoutVal(STOP_MILLIS)
                    .stopTimeoutUnit(TimeUnit.MILLISECONDS));
            ThriftPort port = new ThriftPort(name, sockets, server, connections);
            port.acceptor.start();
            return port;
        } catch (TTransportException e) {
            socket.close();
            throw new IOException(e.getMessage(), e);
        }
    }

    /** {@return where it listens} */
    InetSocketAddress address() {
        return address;
    }

    private void accept() {
        try {
            server.serve();
        } catch (Connections.Closed e) {
            // It was closed before it began, which the server forgets when it begins.
        }
    }

    /** Listens no more and closes the connections. Idempotent. */
    @Override
    public void close() {
        sockets.closing = true;
        server.stop();
        connections.shutdownNow();
        sockets.closeAll();
        try {
            acceptor.join(TimeUnit.SECONDS.toMillis(2));
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
    static ServerSocket bind(InetSocketAddress address) throws IOException {
        return bind(new ServerSocket(), address);
    }

    /** The same with a socket that is not bound; it is closed when it cannot be. */
    static ServerSocket bind(ServerSocket socket, InetSocketAddress address) throws IOException {
        try {
            socket.setReuseAddress(true);
            socket.bind(address, BACKLOG);
            return socket;
        } catch (BindException e) {
            socket.close();
            throw refusal(address, e);
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
        return new ThreadPoolExecutor(1, MOST_CONNECTIONS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), job -> {
            Thread thread = new Thread(job, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Knows what it has accepted: a thread that waits for a client's next call ends only when its socket is closed. */
    private static final class Connections extends TServerSocket {
        private final Set<TSocket> open = ConcurrentHashMap.newKeySet();
        private volatile boolean closing;

        /** Ends the server's loop, which takes any other failure to accept for one that passes. */
        private static final class Closed extends RuntimeException {
            private static final long serialVersionUID = 1L;
        }

        private Connections(ServerSocket socket) throws TTransportException {
            super(socket, IDLE_MILLIS);
        }

        @Override
        public TSocket accept() throws TTransportException {
            if (closing) {
                throw new Closed();
            }
            TSocket accepted = super.accept();
            open.removeIf(socket -> !socket.isOpen());
            open.add(accepted);
            return accepted;
        }

        private void closeAll() {
            open.forEach(TSocket::close);
            open.clear();
        }
    }
}
