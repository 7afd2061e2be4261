package io.updraft.pipeline.sink;

import io.updraft.kafka.router.RouterSettings;
import io.updraft.kafka.router.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Records that go on to Kafka by their key, and are not aggregated.
 *
 * @param key the fields whose values say which partition index a record goes to
 * @param topic the name of the topic in each cluster
 * @param clusters each cluster's producer settings, {@code bootstrap.servers} among them, in the order in which they are preferred
 * @param partitions how many partition indexes keys are spread over
 * @param value what is written
 * @param failover how long a cluster may take for a record before the next one gets it
 * @param probe how long a partition of a cluster that failed is left alone before one record tries it again
 * @param queue bytes of records that may wait for brokers
 * @param answer how long whoever posts by HTTP waits for the brokers before the answer is 503
 */
public record RouteOptions(
        List<String> key,
        String topic,
        List<Map<String, String>> clusters,
        int partitions,
        Value value,
        Duration failover,
        Duration probe,
        long queue,
        Duration answer) {

    private static final int MOST_RECORDS = 1_000_000;

    /** What is written of a record. */
    public enum Value {
        /** The record as it was read. */
        RECORD,
        /** Each row that it became, as a JSON object. */
        ROW
    }

    /**
     * A route.
     *
     * @throws IllegalArgumentException when there is no key, no cluster or no partition, or a cluster is there twice
     */
    public RouteOptions {
        key = List.copyOf(key);
        clusters = clusters.stream().map(Map::copyOf).toList();
        if (key.isEmpty() || clusters.isEmpty() || partitions < 1) {
            throw new IllegalArgumentException("a route needs a key, a cluster and a partition");
        }
        if (clusters.stream().map(RouteOptions::servers).distinct().count() < clusters.size()) {
            throw new IllegalArgumentException("a cluster is there twice");
        }
    }

    /** Where a cluster is, which is what it is called. */
    static String servers(Map<String, String> cluster) {
        return cluster.getOrDefault("bootstrap.servers", "");
    }

    /** What the router is told. */
    public RouterSettings settings() {
        List<Target> targets = clusters.stream()
                .map(cluster -> new Target(servers(cluster), Map.copyOf(cluster), topic))
                .toList();
        return RouterSettings.of(targets, partitions)
                .withRoom(MOST_RECORDS, queue)
                .withTimes(failover, probe);
    }

    /** Without the settings of the producers, passwords among them, but where they connect to. */
    @Override
    public String toString() {
        return "RouteOptions[key=" + key + ", topic=" + topic + ", servers="
                + clusters.stream().map(RouteOptions::servers).toList() + ", partitions=" + partitions + ", value="
                + value
                + "]";
    }
}
