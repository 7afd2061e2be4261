package io.updraft.pipeline.kafka;

import io.updraft.kafka.reader.ReaderConfig;
import io.updraft.kafka.share.ClusterTopics;
import io.updraft.kafka.share.GroupCoordinator;
import io.updraft.kafka.share.GroupSettings;
import io.updraft.kafka.share.ProcessDescription;
import io.updraft.kafka.share.ShareCoordinator;
import io.updraft.kafka.share.SoleMemberAssignor;
import io.updraft.kafka.share.ZooKeeperCoordinator;
import io.updraft.kafka.share.ZooKeeperSettings;
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
     * How long a process that writes in transactions may take to release shares. Under Kafka's group protocol, a commit that
     * waits for the rebalance blocks the thread that releases shares, so a longer wait may not help. A shorter wait causes no
     * duplicates with either coordinator: a late commit is refused, and the next owner of the share repeats its work.
     */
    private static final Duration TRANSACTION_TIMEOUT = Duration.ofSeconds(3);

    /** The most bytes of one partition that may wait to be handed over. */
    private static final int QUEUE_BYTES = 2 << 20;

    private KafkaCoordinators() {}

    /**
     * Creates the coordinator that assigns the partitions of a source to the processes of its group. The {@link KafkaSource}
     * joins the group.
     *
     * @param keyed whether shares can be divided among processes; if not, one process owns all shares, and the others stand by
     * @param process what the other processes of the group learn of this one
     * @param exactlyOnce whether positions are committed in the transactions of the source's only cluster
     */
    public static ShareCoordinator coordinator(
            SourceSpec.Kafka spec, ProcessDescription process, boolean keyed, boolean exactlyOnce)
            throws SourceException {
        List<ClusterTopics> clusters = of(spec);
        if (spec.zookeeper() != null) {
            return zooKeeper(spec, process, clusters, keyed, exactlyOnce);
        }
        if (clusters.size() > 1) {
            throw new SourceException("sharing partitions of several clusters needs ZooKeeper: give its address as"
                    + " 'zookeeper: host:port/path' of the source");
        }
        GroupSettings usual = GroupSettings.of(clusters.get(0), spec.group()).withProcess(process);
        GroupSettings groupSettings = spec.session() == null ? usual : usual.withSession(spec.session());
        GroupSettings settings = exactlyOnce ? groupSettings.withPatience(TRANSACTION_TIMEOUT) : groupSettings;
        return new GroupCoordinator(
                keyed
                        ? settings
                        : settings.withOverrides(
                                Map.of("partition.assignment.strategy", SoleMemberAssignor.class.getName())));
    }

    private static ShareCoordinator zooKeeper(
            SourceSpec.Kafka spec,
            ProcessDescription process,
            List<ClusterTopics> clusters,
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
    static ReaderConfig readerConfig(ClusterTopics cluster) {
        return new ReaderConfig(cluster.properties(), ReaderConfig.OutOfRange.EARLIEST, QUEUE_BYTES, false, List.of())
                .with("isolation.level", "read_committed");
    }

    static List<ClusterTopics> of(SourceSpec.Kafka spec) {
        List<ClusterTopics> clusters = new ArrayList<>();
        for (Map<String, String> client : spec.clusters()) {
            clusters.add(new ClusterTopics("cluster-" + clusters.size(), Map.copyOf(client), spec.topics()));
        }
        return clusters;
    }
}
