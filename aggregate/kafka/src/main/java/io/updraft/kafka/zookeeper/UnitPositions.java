package io.updraft.kafka.zookeeper;

import io.updraft.kafka.unit.StampedOffsets;
import io.updraft.kafka.unit.UnitCluster;
import io.updraft.kafka.unit.UnitCommit;
import io.updraft.kafka.unit.UnitPartition;
import io.updraft.kafka.unit.UnitProgress;
import io.updraft.kafka.unit.WorkUnit;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads the positions of {@link ZooKeeperCoordinator}, and copies them to consumer offsets for tools. One thread. */
final class UnitPositions {

    private static final Duration ANSWER = Duration.ofSeconds(5);

    private final ZooKeeperSettings settings;
    private final PartitionCounts counts;
    private final Map<String, KafkaFuture<Void>> copiesInFlight = new HashMap<>();

    UnitPositions(ZooKeeperSettings settings, PartitionCounts counts) {
        this.settings = settings;
        this.counts = counts;
    }

    Map<WorkUnit, UnitProgress> read(Collection<WorkUnit> units, Map<WorkUnit, UnitNode> nodes)
            throws ExecutionException, InterruptedException, TimeoutException {
        Map<WorkUnit, UnitProgress> progress = new TreeMap<>();
        if (settings.transactions().isEmpty()) {
            units.forEach(unit -> progress.put(unit, nodes.get(unit).progress()));
            return progress;
        }
        Map<WorkUnit, List<UnitPartition>> here = new TreeMap<>();
        Set<TopicPartition> asked = new HashSet<>();
        for (WorkUnit unit : units) {
            List<UnitPartition> its = counts.partitionsOf(unit).stream()
                    .filter(one -> one.cluster().equals(settings.home().name()))
                    .toList();
            here.put(unit, its);
            its.forEach(one -> asked.add(one.topicPartition()));
        }
        Map<TopicPartition, OffsetAndMetadata> committed = committed(asked);
        here.forEach(
                (unit, its) -> progress.put(unit, ForeignPositions.unpack(StampedOffsets.progress(its, committed))));
        return progress;
    }

    /**
     * Returns committed offsets, after waiting for transactions that are being ended. Uses a consumer, which retries until they
     * have ended. An admin client omits partitions in such transactions, as if nothing had been committed.
     */
    private Map<TopicPartition, OffsetAndMetadata> committed(Set<TopicPartition> partitions) throws TimeoutException {
        Map<String, Object> properties = new HashMap<>(settings.home().properties());
        properties.put("group.id", settings.group());
        properties.put("enable.auto.commit", "false");
        properties.put("isolation.level", "read_committed");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            Map<TopicPartition, OffsetAndMetadata> found = new HashMap<>();
            consumer.committed(partitions, ANSWER).forEach((partition, offset) -> {
                if (offset != null) {
                    found.put(partition, offset);
                }
            });
            return found;
        } catch (RetriableException e) {
            throw new TimeoutException("the positions are in transactions that have not ended: " + e.getMessage());
        }
    }

    /** Copies positions to each cluster's consumer offsets. Drops them for a cluster whose previous copy is still in flight. */
    void copyToConsumerOffsets(List<UnitCommit> commits) {
        for (UnitCluster cluster : settings.clusters()) {
            KafkaFuture<Void> last = copiesInFlight.get(cluster.name());
            if (last == null || last.isDone()) {
                Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
                commits.forEach(commit -> commit.progress().positions().forEach((partition, next) -> {
                    if (partition.cluster().equals(cluster.name())) {
                        offsets.put(
                                partition.topicPartition(),
                                new OffsetAndMetadata(next));
                    }
                }));
                copiesInFlight.put(
                        cluster.name(),
                        counts.admin(cluster.name())
                                .alterConsumerGroupOffsets(settings.group(), offsets)
                                .all());
            }
        }
    }
}
