package io.updraft.pipeline.kafka;

import io.updraft.kafka.reader.ReaderConfig;
import io.updraft.kafka.unit.GroupCoordinator;
import io.updraft.kafka.unit.GroupSettings;
import io.updraft.kafka.unit.ProcessDescription;
import io.updraft.kafka.unit.SoleMemberAssignor;
import io.updraft.kafka.unit.UnitCluster;
import io.updraft.kafka.unit.UnitCoordinator;
import io.updraft.kafka.zookeeper.ZooKeeperCoordinator;
import io.updraft.kafka.zookeeper.ZooKeeperSettings;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Creates the coordinators of sources of Kafka, and the settings of their readers. */
public final class KafkaCoordinators {

    /**
     * How long a process that writes in transactions may take to release units. Under Kafka's group protocol, a commit that
     * waits for the rebalance blocks the thread that releases units, so a longer wait may not help. A shorter wait causes no
     * duplicates with either coordinator: a late commit is refused, and the next owner of the unit repeats its work.
     */
    private static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(3);

    /** The most bytes of one partition that may wait to be handed over. */
    private static final int QUEUE_BYTES = 2 << 20;

    private KafkaCoordinators() {}

    /**
     * Creates the coordinator that assigns the partitions of a source to the processes of its group. The {@link KafkaSource}
     * joins the group.
     *
     * @param keyed whether units can be divided among processes; if not, one process owns all units, and the others stand by
     * @param process what the other processes of the group learn of this one
     * @param exactlyOnce whether positions are committed in the transactions of the source's only cluster
     */
    public static UnitCoordinator coordinator(
            SourceSpec.Kafka spec, ProcessDescription process, boolean keyed, boolean exactlyOnce)
            throws SourceException {
        List<UnitCluster> clusters = of(spec);
        if (spec.zookeeper() != null) {
            return zooKeeper(spec, process, clusters, keyed, exactlyOnce);
        }
        if (clusters.size() > 1) {
            throw new SourceException("sharing partitions of several clusters needs ZooKeeper: give its address as"
                    + " 'zookeeper: host:port/path' of the source");
        }
        GroupSettings usual = GroupSettings.of(clusters.get(0), spec.group()).withProcess(process);
        GroupSettings its = spec.session() == null ? usual : usual.withSession(spec.session());
        GroupSettings settings = exactlyOnce ? its.withPatience(TRANSACTION_TIMEOUT) : its;
        return new GroupCoordinator(
                keyed
                        ? settings
                        : settings.withOverrides(
                                Map.of("partition.assignment.strategy", SoleMemberAssignor.class.getName())));
    }

    private static UnitCoordinator zooKeeper(
            SourceSpec.Kafka spec,
            ProcessDescription process,
            List<UnitCluster> clusters,
            boolean keyed,
            boolean exactlyOnce)
            throws SourceException {
        if (!keyed) {
            throw new SourceException("'zookeeper' divides partitions among processes, which needs 'keyed: true':"
                    + " all records of a group in partitions of the same index");
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
                exactlyOnce ? TRANSACTION_TIMEOUT : usual.patience(),
                exactlyOnce ? Optional.of(clusters.get(0).name()) : Optional.empty(),
                process));
    }

    /**
     * Returns how a cluster of a source is read. After retention has removed the records at a committed offset, the oldest
     * ones that are left come next, wherever a source without an offset starts.
     */
    static ReaderConfig readerConfig(UnitCluster cluster) {
        return new ReaderConfig(cluster.properties(), ReaderConfig.OutOfRange.EARLIEST, QUEUE_BYTES, false)
                .with("isolation.level", "read_committed");
    }

    static List<UnitCluster> of(SourceSpec.Kafka spec) {
        List<UnitCluster> clusters = new ArrayList<>();
        for (Map<String, String> client : spec.clusters()) {
            clusters.add(new UnitCluster("cluster-" + clusters.size(), Map.copyOf(client), spec.topics()));
        }
        return clusters;
    }
}
