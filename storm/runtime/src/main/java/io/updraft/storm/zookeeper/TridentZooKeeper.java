package io.updraft.storm.zookeeper;

import io.updraft.storm.file.TemporaryDirectories;
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
 * The ZooKeeper in which Trident stores its transaction state, for topologies that need one and configure none. It starts with
 * the first such topology and ends with the cluster. A topology that is submitted again thus continues where it stopped.
 *
 * <p>Safe to use from any thread.
 */
public final class TridentZooKeeper implements AutoCloseable {

    /** The prefix of the ids of Trident's coordinator spouts. */
    private static final String COORDINATOR = "$mastercoord";

    /** Storm's default servers: they count as not configured. */
    private static final List<String> DEFAULT_SERVERS = List.of("localhost");

    private static final int DEFAULT_PORT = 2181;

    private final TemporaryDirectories directories = new TemporaryDirectories();
    private MemoryZooKeeper server;

    /**
     * Adds the address of the ZooKeeper to the defaults of a topology's configuration, if the topology needs it.
     *
     * @param base the defaults
     * @param own the topology's own configuration
     * @return {@code base} itself when the topology does not use Trident or configures a ZooKeeper of its own
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
}
