package io.updraft.kafka.units;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a {@link ZooKeeperCoordinator} takes part in a group.
 *
 * @param connect ZooKeeper's servers, {@code host:port,host:port}
 * @param path the znode under which groups are, from {@code /}
 * @param group the group's name; also the consumer group under which offsets are kept or shown
 * @param clusters the clusters whose partitions of one index are one unit
 * @param session how long a process may be silent before its units are given to others; the server has limits of its own
 * @param patience how long a process may take to let go of a unit
 * @param transactions the name of the cluster in whose transactions positions are kept, for exactly-once; empty to keep
 *     them in ZooKeeper
 */
public record ZooKeeperSettings(
        String connect,
        String path,
        String group,
        List<UnitsCluster> clusters,
        Duration session,
        Duration patience,
        Optional<String> transactions) {

    /** Checks that names fit. */
    public ZooKeeperSettings {
        clusters = List.copyOf(clusters);
        if (!path.startsWith("/") || path.endsWith("/")) {
            throw new IllegalArgumentException("ZooKeeper's path must begin, and not end, with /: " + path);
        }
        if (group.isEmpty() || group.indexOf('/') >= 0) {
            throw new IllegalArgumentException("A group's name must not be empty or contain /: " + group);
        }
        if (clusters.isEmpty()) {
            throw new IllegalArgumentException("At least one Kafka cluster is needed.");
        }
        for (UnitsCluster cluster : clusters) {
            if (clusters.stream()
                            .filter(one -> one.name().equals(cluster.name()))
                            .count()
                    > 1) {
                throw new IllegalArgumentException("Two clusters are named " + cluster.name() + ".");
            }
        }
        String home = transactions.orElse(clusters.get(0).name());
        if (clusters.stream().noneMatch(cluster -> cluster.name().equals(home))) {
            throw new IllegalArgumentException("No cluster is named " + home + ", which is to keep the positions.");
        }
    }

    /**
     * A session of 4 s, a patience of 30 s, positions in ZooKeeper, under {@code /updraft}.
     *
     * @param connect ZooKeeper's servers
     * @param group the group's name
     * @param clusters the clusters
     * @return settings to start from
     */
    public static ZooKeeperSettings of(String connect, String group, List<UnitsCluster> clusters) {
        return new ZooKeeperSettings(
                connect, "/updraft", group, clusters, Duration.ofSeconds(4), Duration.ofSeconds(30), Optional.empty());
    }

    /**
     * Another session timeout.
     *
     * @param session how long a process may be silent
     * @return these settings with it
     */
    public ZooKeeperSettings withSession(Duration session) {
        return new ZooKeeperSettings(connect, path, group, clusters, session, patience, transactions);
    }

    /**
     * Another patience.
     *
     * @param patience how long a process may take to let go of a unit
     * @return these settings with it
     */
    public ZooKeeperSettings withPatience(Duration patience) {
        return new ZooKeeperSettings(connect, path, group, clusters, session, patience, transactions);
    }

    /**
     * Exactly-once: positions go with the transactions of this cluster, to which the results must be written too.
     * Each commit must then name the positions of all partitions of its unit, as those of other clusters travel in the
     * metadata of this one's.
     *
     * <p>What keeps a process from committing that was taken for dead is that its {@code transactional.id} is fenced: commit
     * with a {@link io.updraft.kafka.sink.TransactionalWriter}, which has always a producer with the id of the present life.
     *
     * @param cluster the name of one of the clusters
     * @return these settings with it
     */
    public ZooKeeperSettings withTransactionsOf(String cluster) {
        return new ZooKeeperSettings(connect, path, group, clusters, session, patience, Optional.of(cluster));
    }

    UnitsCluster home() {
        String name = transactions.orElseThrow();
        return clusters.stream()
                .filter(cluster -> cluster.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
