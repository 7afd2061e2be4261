package io.updraft.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.ObjectReader;

/**
 * The ZooKeeper in which Trident keeps where it is, for topologies that need one and name none. It is started with the first such
 * topology and lives as long as the cluster, so that a topology that is submitted again goes on where it was.
 *
 * <p>Safe to use from any thread.
 */
final class TransactionZooKeeper implements AutoCloseable {

    /** What the ids of Trident's coordinating spouts begin with. */
    private static final String COORDINATOR = "$mastercoord";

    /** Storm's defaults, which name no ZooKeeper that anybody set up for us. */
    private static final List<String> DEFAULT_SERVERS = List.of("localhost");

    private static final int DEFAULT_PORT = 2181;

    private final TaskDirectories directories = new TaskDirectories(TransactionZooKeeper.class.getClassLoader());
    private MemoryZooKeeper server;

    /**
     * Adds to the configuration beneath a topology's own where the ZooKeeper is that it needs.
     *
     * @param base the configuration beneath
     * @param own the topology's own
     * @return {@code base} itself when the topology has no Trident in it or names a ZooKeeper of its own
     */
    Map<String, Object> beneath(Map<String, Object> base, Map<String, Object> own, StormTopology topology) {
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
                server = MemoryZooKeeper.start(directories.directory("zookeeper"));
            }
            return server.port();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "could not start the ZooKeeper in which Trident keeps where it is; set "
                            + Config.TRANSACTIONAL_ZOOKEEPER_SERVERS + " to use another",
                    e);
        }
    }

    /** Ends the server, if it was started, and forgets what is in it. Idempotent. */
    @Override
    public synchronized void close() {
        if (server != null) {
            server.close();
            server = null;
        }
        directories.close();
    }
}
