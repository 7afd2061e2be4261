package io.updraft.kafka.units;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/** Where {@link ZooKeeperCoordinator} finds positions, and where it shows them to tools. One thread. */
final class UnitPositions {

    private static final long ANSWER_MILLIS = 5_000;

    private final ZooKeeperSettings settings;
    private final PartitionCounts counts;
    private final Map<String, KafkaFuture<Void>> showing = new HashMap<>();

    UnitPositions(ZooKeeperSettings settings, PartitionCounts counts) {
        this.settings = settings;
        this.counts = counts;
    }

    Map<WorkUnit, Progress> read(Collection<WorkUnit> units, Map<WorkUnit, UnitNode> nodes)
            throws ExecutionException, InterruptedException, TimeoutException {
        Map<WorkUnit, Progress> progress = new TreeMap<>();
        if (settings.transactions().isEmpty()) {
            units.forEach(unit -> progress.put(unit, nodes.get(unit).progress()));
            return progress;
        }
        Map<TopicPartition, OffsetAndMetadata> committed = committed();
        for (WorkUnit unit : units) {
            List<UnitPartition> here = counts.partitionsOf(unit).stream()
                    .filter(one -> one.cluster().equals(settings.home().name()))
                    .toList();
            progress.put(unit, ForeignPositions.unpack(GroupOffsets.progress(here, committed)));
        }
        return progress;
    }

    /** Waits for transactions that are being ended. */
    private Map<TopicPartition, OffsetAndMetadata> committed()
            throws ExecutionException, InterruptedException, TimeoutException {
        return counts.admin(settings.home().name())
                .listConsumerGroupOffsets(
                        Map.of(settings.group(), new ListConsumerGroupOffsetsSpec()),
                        new ListConsumerGroupOffsetsOptions().requireStable(true))
                .partitionsToOffsetAndMetadata(settings.group())
                .get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Copies positions to each cluster's consumer offsets; drops them where the last ones are still on their way. */
    void show(List<UnitCommit> commits) {
        for (UnitsCluster cluster : settings.clusters()) {
            KafkaFuture<Void> last = showing.get(cluster.name());
            if (last == null || last.isDone()) {
                Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
                commits.forEach(commit -> commit.progress().positions().forEach((partition, next) -> {
                    if (partition.cluster().equals(cluster.name())) {
                        offsets.put(
                                new TopicPartition(partition.topic(), partition.partition()),
                                new OffsetAndMetadata(next));
                    }
                }));
                showing.put(
                        cluster.name(),
                        counts.admin(cluster.name())
                                .alterConsumerGroupOffsets(settings.group(), offsets)
                                .all());
            }
        }
    }
}
