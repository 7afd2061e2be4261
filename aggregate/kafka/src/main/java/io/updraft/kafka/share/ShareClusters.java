package io.updraft.kafka.share;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The Kafka clusters of {@link ZooKeeperCoordinator}: looks up the partition counts of their topics, and which partitions make a
 * share; reads the shares' positions, and copies them to consumer offsets for tools. Not thread-safe.
 */
final class ShareClusters implements AutoCloseable {

    private static final Duration FRESH = Duration.ofSeconds(30);
    private static final long ANSWER_MILLIS = 5_000;

    private final ZooKeeperSettings settings;
    private final Map<String, Admin> admins = new LinkedHashMap<>();
    private final Map<String, KafkaFuture<Void>> copiesInFlight = new HashMap<>();
    private Map<String, Map<String, Integer>> counts;
    private long asked;

    ShareClusters(ZooKeeperSettings settings) {
        this.settings = settings;
        settings.clusters().forEach(cluster -> admins.put(cluster.name(), Admin.create(cluster.properties())));
    }

    Admin admin(String cluster) {
        return admins.get(cluster);
    }

    /** Returns the number of shares: the most partitions of any topic. */
    int shares() throws ExecutionException, InterruptedException, TimeoutException {
        return counts().values().stream()
                .flatMap(topics -> topics.values().stream())
                .mapToInt(count -> count)
                .max()
                .orElse(0);
    }

    List<ClusterPartition> partitionsOf(Share share) throws ExecutionException, InterruptedException, TimeoutException {
        List<ClusterPartition> partitions = new ArrayList<>();
        counts().forEach((cluster, topics) -> topics.forEach((topic, count) -> {
            if (share.index() < count) {
                partitions.add(new ClusterPartition(cluster, topic, share.index()));
            }
        }));
        return partitions;
    }

    private Map<String, Map<String, Integer>> counts()
            throws ExecutionException, InterruptedException, TimeoutException {
        // Partitions are added rarely. While a cluster does not answer, the last known counts stay in use.
        if (counts == null || System.nanoTime() - asked > FRESH.toNanos()) {
            asked = System.nanoTime();
            try {
                counts = ask();
            } catch (ExecutionException | TimeoutException e) {
                if (counts == null) {
                    throw e;
                }
            }
        }
        return counts;
    }

    private Map<String, Map<String, Integer>> ask() throws ExecutionException, InterruptedException, TimeoutException {
        Map<String, Map<String, Integer>> all = new LinkedHashMap<>();
        for (ClusterTopics cluster : settings.clusters()) {
            Map<String, Integer> topicCounts = new TreeMap<>();
            admins.get(cluster.name())
                    .describeTopics(cluster.topics())
                    .allTopicNames()
                    .get(ANSWER_MILLIS, TimeUnit.MILLISECONDS)
                    .forEach((topic, about) ->
                            topicCounts.put(topic, about.partitions().size()));
            all.put(cluster.name(), topicCounts);
        }
        return all;
    }

    Map<Share, Share.Progress> positions(Collection<Share> shares, Map<Share, ShareNode> nodes)
            throws ExecutionException, InterruptedException, TimeoutException {
        Map<Share, Share.Progress> progress = new TreeMap<>();
        if (settings.transactions().isEmpty()) {
            shares.forEach(share -> progress.put(share, nodes.get(share).progress()));
            return progress;
        }
        Map<Share, List<ClusterPartition>> here = new TreeMap<>();
        Set<TopicPartition> asked = new HashSet<>();
        for (Share share : shares) {
            List<ClusterPartition> topicCounts = partitionsOf(share).stream()
                    .filter(partition ->
                            partition.cluster().equals(settings.home().name()))
                    .toList();
            here.put(share, topicCounts);
            topicCounts.forEach(partition -> asked.add(partition.topicPartition()));
        }
        Map<TopicPartition, OffsetAndMetadata> committed = committed(asked);
        here.forEach((share, topicCounts) ->
                progress.put(share, ForeignPositions.unpack(StampedOffsets.progress(topicCounts, committed))));
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
            consumer.committed(partitions, Duration.ofMillis(ANSWER_MILLIS)).forEach((partition, offset) -> {
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
    void copyToConsumerOffsets(List<Share.Commit> commits) {
        for (ClusterTopics cluster : settings.clusters()) {
            KafkaFuture<Void> last = copiesInFlight.get(cluster.name());
            if (last == null || last.isDone()) {
                Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
                commits.forEach(commit -> commit.progress().positions().forEach((partition, next) -> {
                    if (partition.cluster().equals(cluster.name())) {
                        offsets.put(partition.topicPartition(), new OffsetAndMetadata(next));
                    }
                }));
                copiesInFlight.put(
                        cluster.name(),
                        admins.get(cluster.name())
                                .alterConsumerGroupOffsets(settings.group(), offsets)
                                .all());
            }
        }
    }

    @Override
    public void close() {
        admins.values().forEach(admin -> admin.close(Duration.ZERO));
    }
}
