package io.updraft.pipeline.source;

import io.updraft.kafka.units.Coordinator;
import io.updraft.kafka.units.GroupCoordinator;
import io.updraft.kafka.units.GroupSettings;
import io.updraft.kafka.units.SoleMemberAssignor;
import io.updraft.kafka.units.UnitsCluster;
import io.updraft.kafka.units.ZooKeeperCoordinator;
import io.updraft.kafka.units.ZooKeeperSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Opens sources of Kafka. */
public final class KafkaClusters {

    /**
     * How long a process that writes in transactions has to let go of units. A commit that waits for the rebalance (of Kafka's group
     * protocol) holds up the very thread that lets go, so that waiting longer may not help; and nothing is doubled when it was too
     * short, whoever shares out the units, as what was not committed by then is refused, and done by whoever has the unit next.
     */
    private static final Duration TRANSACTION_PATIENCE = Duration.ofSeconds(3);

    private KafkaClusters() {}

    /**
     * Who shares out the partitions of a source among the processes of its group; to be given to {@link #open}, which joins.
     *
     * @param keyed whether units can be divided among processes; if not, one has all of them, and the others stand by
     * @param exactlyOnce whether positions are committed in the transactions of the source's only cluster
     * @throws SourceException when units are to be shared in a way that is not possible
     */
    public static Coordinator coordinator(SourceSpec.Kafka spec, boolean keyed, boolean exactlyOnce)
            throws SourceException {
        List<UnitsCluster> clusters = of(spec);
        if (spec.zookeeper() != null) {
            return zooKeeper(spec, clusters, keyed, exactlyOnce);
        }
        if (clusters.size() > 1) {
            throw new SourceException("work units of several clusters are shared out by ZooKeeper: say where it is as"
                    + " 'zookeeper: host:port/path' of the source");
        }
        GroupSettings usual = GroupSettings.of(clusters.get(0), spec.group());
        GroupSettings its = spec.session() == null ? usual : usual.withSession(spec.session());
        GroupSettings settings = exactlyOnce ? its.withPatience(TRANSACTION_PATIENCE) : its;
        return new GroupCoordinator(
                keyed
                        ? settings
                        : settings.withOverrides(
                                Map.of("partition.assignment.strategy", SoleMemberAssignor.class.getName())));
    }

    private static Coordinator zooKeeper(
            SourceSpec.Kafka spec, List<UnitsCluster> clusters, boolean keyed, boolean exactlyOnce)
            throws SourceException {
        if (!keyed) {
            throw new SourceException("ZooKeeper divides units among processes, which needs 'keyed: true':"
                    + " all records of a group in partitions of one index");
        }
        int slash = spec.zookeeper().indexOf('/');
        String servers = slash < 0 ? spec.zookeeper() : spec.zookeeper().substring(0, slash);
        String path = slash < 0 ? "/updraft" : spec.zookeeper().substring(slash);
        ZooKeeperSettings usual = ZooKeeperSettings.of(servers, spec.group(), clusters);
        return new ZooKeeperCoordinator(new ZooKeeperSettings(
                servers,
                path,
                spec.group(),
                clusters,
                spec.session() == null ? usual.session() : spec.session(),
                exactlyOnce ? TRANSACTION_PATIENCE : usual.patience(),
                exactlyOnce ? Optional.of(clusters.get(0).name()) : Optional.empty()));
    }

    /**
     * Opens a source. It joins its group once all clusters have answered.
     *
     * @param coordinator who shares out its partitions; closed with the source
     * @param how what is done with the partitions
     */
    public static Source open(SourceSpec.Kafka spec, Coordinator coordinator, KafkaReading how, LongSupplier clock) {
        return new KafkaSource(spec, coordinator, how, clock);
    }

    static List<UnitsCluster> of(SourceSpec.Kafka spec) {
        List<UnitsCluster> clusters = new ArrayList<>();
        for (Map<String, String> client : spec.clusters()) {
            clusters.add(new UnitsCluster("cluster-" + clusters.size(), Map.copyOf(client), spec.topics()));
        }
        return clusters;
    }
}
