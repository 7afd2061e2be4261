package io.updraft.kafka.share;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of a {@link ZooKeeperCoordinator}.
 *
 * @param connect ZooKeeper's servers, {@code host:port,host:port}
 * @param path the parent znode of all groups, an absolute path
 * @param group the group's name; also the consumer group under which offsets are kept or shown
 * @param clusters the clusters whose partitions of one index are one share
 * @param session how long a process may be silent before its shares are assigned to others; the server has limits of its own
 * @param patience how long a process may take to release a share
 * @param transactions the name of the cluster whose transactions store the positions, for exactly-once; empty to store them in
 *     ZooKeeper. The results must be written to the same cluster, with a {@link io.updraft.kafka.sink.TransactionalWriter}: it
 *     always has a producer with the id of the current life, and fencing that id keeps a process that was taken for dead from
 *     committing. Each commit must name the positions of all partitions of its share, because positions of other clusters are
 *     stored in the metadata of this cluster's offsets
 * @param process what the other processes of the group learn of this one; null for nothing
 */
public record ZooKeeperSettings(
        String connect,
        String path,
        String group,
        List<ClusterTopics> clusters,
        Duration session,
        Duration patience,
        Optional<String> transactions,
        ProcessDescription process) {

    /** Checks the names. */
    public ZooKeeperSettings {
        clusters = List.copyOf(clusters);
        if (!path.startsWith("/") || path.endsWith("/")) {
            throw new IllegalArgumentException("ZooKeeper's path must begin with / and must not end with /: " + path);
        }
        if (group.isEmpty() || group.indexOf('/') >= 0) {
            throw new IllegalArgumentException("a group's name must not be empty or contain /: " + group);
        }
        if (clusters.isEmpty()) {
            throw new IllegalArgumentException("name at least one Kafka cluster");
        }
        Set<String> names = new HashSet<>();
        for (ClusterTopics cluster : clusters) {
            if (!names.add(cluster.name())) {
                throw new IllegalArgumentException("two clusters are named " + cluster.name() + ": names must differ");
            }
        }
        String home = transactions.orElse(clusters.get(0).name());
        if (!names.contains(home)) {
            throw new IllegalArgumentException("no cluster is named " + home + ", which stores the positions");
        }
    }

    /** Creates settings of a process that the other ones of the group learn nothing of. */
    public ZooKeeperSettings(
            String connect,
            String path,
            String group,
            List<ClusterTopics> clusters,
            Duration session,
            Duration patience,
            Optional<String> transactions) {
        this(connect, path, group, clusters, session, patience, transactions, null);
    }

    /**
     * Returns settings with a session of 4 s, a patience of 30 s, and positions in ZooKeeper under {@code /updraft}.
     */
    public static ZooKeeperSettings of(String connect, String group, List<ClusterTopics> clusters) {
        return new ZooKeeperSettings(
                connect, "/updraft", group, clusters, Duration.ofSeconds(4), Duration.ofSeconds(30), Optional.empty());
    }

    ClusterTopics home() {
        String name = transactions.orElseThrow();
        return clusters.stream()
                .filter(cluster -> cluster.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
