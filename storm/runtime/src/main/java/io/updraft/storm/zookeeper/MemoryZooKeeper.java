package io.updraft.storm.zookeeper;

import io.updraft.storm.thrift.AllowedUsers;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.apache.storm.shade.org.apache.zookeeper.server.FinalRequestProcessor;
import org.apache.storm.shade.org.apache.zookeeper.server.NIOServerCnxn;
import org.apache.storm.shade.org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.storm.shade.org.apache.zookeeper.server.PrepRequestProcessor;
import org.apache.storm.shade.org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.storm.shade.org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/**
 * A ZooKeeper server in this process without a log: its data is lost when the server stops. It is the server in Storm's shaded
 * dependencies, without the step that waits for a disk. It listens on the loopback interface only, for the user of this process
 * and root.
 */
final class MemoryZooKeeper implements AutoCloseable {

    private static final int TICK_MILLIS = 2000;
    private static final int MAX_CLIENTS = 1000;

    private final ZooKeeperServer server;
    private final NIOServerCnxnFactory connections;

    private MemoryZooKeeper(ZooKeeperServer server, NIOServerCnxnFactory connections) {
        this.server = server;
        this.connections = connections;
    }

    /**
     * Starts a server on a free port.
     *
     * @param directory the directory for an empty snapshot at the start; nothing is written later
     */
    static MemoryZooKeeper start(File directory) throws IOException {
        ZooKeeperServer server = withoutLog(new FileTxnSnapLog(directory, directory));
        NIOServerCnxnFactory connections = connectionsOf(AllowedUsers.own());
        connections.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), MAX_CLIENTS, -1, false);
        try {
            connections.startup(server);
        } catch (InterruptedException e) {
            connections.shutdown();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while ZooKeeper was starting", e);
        }
        return new MemoryZooKeeper(server, connections);
    }

    private static ZooKeeperServer withoutLog(FileTxnSnapLog snapshots) {
        return new ZooKeeperServer(snapshots, TICK_MILLIS, "") {
            /** Leaves out the processor between these two, which waits for the log. */
            @Override
            protected void setupRequestProcessors() {
                PrepRequestProcessor first = new PrepRequestProcessor(this, new FinalRequestProcessor(this));
                firstProcessor = first;
                first.start();
            }
        };
    }

    private static NIOServerCnxnFactory connectionsOf(AllowedUsers users) {
        return new NIOServerCnxnFactory() {
            /** Runs on a thread of the server, before any byte is read. */
            @Override
            protected NIOServerCnxn createConnection(SocketChannel socket, SelectionKey key, SelectorThread thread)
                    throws IOException {
                String refusal = users.refusal(
                        (InetSocketAddress) socket.getRemoteAddress(), (InetSocketAddress) socket.getLocalAddress());
                if (refusal != null) {
                    throw new IOException(refusal);
                }
                return super.createConnection(socket, key, thread);
            }
        };
    }

    int port() {
        return connections.getLocalPort();
    }

    @Override
    public void close() {
        connections.shutdown();
        server.shutdown(true);
    }
}
