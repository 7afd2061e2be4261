package io.updraft.kafka.zookeeper;

import io.updraft.kafka.unit.UnitCluster;
import io.updraft.kafka.unit.UnitPartition;
import io.updraft.kafka.unit.WorkUnit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;

/** Looks up the partition counts of the clusters' topics, and which partitions make a unit. One thread. */
final class PartitionCounts implements AutoCloseable {

    private static final Duration FRESH = Duration.ofSeconds(30);
    private static final long ANSWER_MILLIS = 5_000;

    private final List<UnitCluster> clusters;
    private final Map<String, Admin> admins = new LinkedHashMap<>();
    private Map<String, Map<String, Integer>> counts;
    private long asked;

    PartitionCounts(List<UnitCluster> clusters) {
        this.clusters = clusters;
        clusters.forEach(cluster -> admins.put(cluster.name(), Admin.create(cluster.properties())));
    }

    Admin admin(String cluster) {
        return admins.get(cluster);
    }

    /** Returns the number of units: the most partitions of any topic. */
    int units() throws ExecutionException, InterruptedException, TimeoutException {
        return counts().values().stream()
                .flatMap(topics -> topics.values().stream())
                .mapToInt(count -> count)
                .max()
                .orElse(0);
    }

    List<UnitPartition> partitionsOf(WorkUnit unit) throws ExecutionException, InterruptedException, TimeoutException {
        List<UnitPartition> partitions = new ArrayList<>();
        counts().forEach((cluster, topics) -> topics.forEach((topic, count) -> {
            if (unit.index() < count) {
                partitions.add(new UnitPartition(cluster, topic, unit.index()));
            }
        }));
        return partitions;
    }

    private Map<String, Map<String, Integer>> counts()
            throws ExecutionException, InterruptedException, TimeoutException {
        // Partitions are added rarely. While a cluster is away, the last known counts stay in use.
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
        for (UnitCluster cluster : clusters) {
            Map<String, Integer> its = new TreeMap<>();
            admins.get(cluster.name())
                    .describeTopics(cluster.topics())
                    .allTopicNames()
                    .get(ANSWER_MILLIS, TimeUnit.MILLISECONDS)
                    .forEach((topic, about) -> its.put(topic, about.partitions().size()));
            all.put(cluster.name(), its);
        }
        return all;
    }

    @Override
    public void close() {
        admins.values().forEach(admin -> admin.close(Duration.ZERO));
    }
}
