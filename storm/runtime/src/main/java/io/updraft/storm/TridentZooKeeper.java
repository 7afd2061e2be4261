package io.updraft.storm;

import io.updraft.storm.program.TemporaryDirectories;
import io.updraft.storm.thrift.AllowedUsers;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.shade.org.apache.zookeeper.server.FinalRequestProcessor;
import org.apache.storm.shade.org.apache.zookeeper.server.NIOServerCnxn;
import org.apache.storm.shade.org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.storm.shade.org.apache.zookeeper.server.PrepRequestProcessor;
import org.apache.storm.shade.org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.storm.shade.org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.storm.utils.ObjectReader;

/**
 * The ZooKeeper in which Trident stores its transaction state, for topologies that need one and configure none. It starts with
 * the first such topology and ends with the cluster. A topology that is submitted again thus continues where it stopped.
 *
 * <p>Safe to use from any thread.
 */
final class TridentZooKeeper implements AutoCloseable {

    /** The prefix of the ids of Trident's coordinator spouts. */
    private static final String COORDINATOR = "$mastercoord";

    /** Storm's default servers: they count as not configured. */
    private static final List<String> DEFAULT_SERVERS = List.of("localhost");

    private static final int DEFAULT_PORT = 2181;

    private final TemporaryDirectories directories = new TemporaryDirectories();
    private MemoryZooKeeper server;

    /**
     * Adds the address of the ZooKeeper to the defaults of a topology's configuration. Returns {@code base} itself when the
     * topology does not use Trident or configures a ZooKeeper of its own.
     */
    public Map<String, Object> withAddress(Map<String, Object> base, Map<String, Object> own, StormTopology topology) {
        Map<String, Object> whole = new HashMap<>(base);
        whole.putAll(own);
        if (!needsOne(topology) || namesOne(whole)) {
            return base;
        }
        Map<String, Object> conf = new HashMap<>(base);
        conf.put(
                Config.TRANSACTIONAL_ZOOKEEPER_SERVERS,
                List.of(InetAddress.getLoopbackAddress().getHostAddress()));
        conf.put(Config.TRANSACTIONAL_ZOOKEEPER_PORT, port());
        return conf;
    }

    private static boolean needsOne(StormTopology topology) {
        return topology.is_set_spouts()
                && topology.get_spouts().keySet().stream().anyMatch(id -> id.startsWith(COORDINATOR));
    }

    private static boolean namesOne(Map<String, Object> conf) {
        Object servers = conf.get(Config.STORM_ZOOKEEPER_SERVERS);
        return conf.get(Config.TRANSACTIONAL_ZOOKEEPER_SERVERS) != null
                || servers != null && !servers.equals(DEFAULT_SERVERS)
                || ObjectReader.getInt(conf.get(Config.STORM_ZOOKEEPER_PORT), DEFAULT_PORT) != DEFAULT_PORT;
    }

    private synchronized int port() {
        try {
            if (server == null) {
                server =
                        MemoryZooKeeper.start(directories.directory("zookeeper").toFile());
            }
            return server.port();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot start the ZooKeeper for Trident's transaction state; set "
                            + Config.TRANSACTIONAL_ZOOKEEPER_SERVERS + " to use another one",
                    e);
        }
    }

    /** Ends the server, if it was started, and loses its data. Idempotent. */
    @Override
    public synchronized void close() {
        if (server != null) {
            server.close();
            server = null;
        }
        directories.close();
    }

    /**
     * A ZooKeeper server in this process without a log: its data is lost when the server stops. It is the server in Storm's shaded
     * dependencies, without the step that waits for a disk. It listens on the loopback interface only, for the user of this process
     * and root.
     */
    static final class MemoryZooKeeper implements AutoCloseable {

        private static final int TICK_MILLIS = 2000;
        private static final int MAX_CLIENTS = 1000;

        private final ZooKeeperServer server;
        private final NIOServerCnxnFactory connections;

        private MemoryZooKeeper(ZooKeeperServer server, NIOServerCnxnFactory connections) {
            this.server = server;
            this.connections = connections;
        }

        /** Starts a server on a free port. It writes an empty snapshot to the directory, and nothing later. */
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
                    String refusal = users.refusal((InetSocketAddress) socket.getRemoteAddress(), (InetSocketAddress)
                            socket.getLocalAddress());
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
}
