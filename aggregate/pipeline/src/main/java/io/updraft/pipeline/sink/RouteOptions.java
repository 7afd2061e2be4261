package io.updraft.pipeline.sink;

import io.updraft.kafka.router.RouterSettings;
import io.updraft.kafka.router.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The routing of records to Kafka by their key, without aggregation.
 *
 * @param key the fields whose values determine the partition index of a record
 * @param topic the name of the topic in each cluster
 * @param clusters the producer settings of each cluster, including {@code bootstrap.servers}; the preferred cluster comes first
 * @param partitions how many partition indexes keys are spread over
 * @param value the value of a written record
 * @param failover how long a cluster may take for a record before the next cluster gets it
 * @param probe how long a failed partition of a cluster is avoided before one record tries it again
 * @param queue the most bytes of records that may wait for brokers
 * @param answer how long a client that posts by HTTP waits for the brokers before the answer is 503
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

    /** The value of a written record. */
    public enum Value {
        /** The record as it was read. */
        RECORD,
        /** Each row of the record, as a JSON object. */
        ROW
    }

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException when there is no key, no cluster or no partition, or a cluster occurs twice
     */
    public RouteOptions {
        key = List.copyOf(key);
        clusters = clusters.stream().map(Map::copyOf).toList();
        if (key.isEmpty() || clusters.isEmpty() || partitions < 1) {
            throw new IllegalArgumentException("a route needs at least one key field, one cluster and one partition");
        }
        if (clusters.stream().map(RouteOptions::servers).distinct().count() < clusters.size()) {
            throw new IllegalArgumentException("'bootstrap' has a cluster twice");
        }
    }

    /** Returns the addresses of a cluster, which are also its name. */
    static String servers(Map<String, String> cluster) {
        return cluster.getOrDefault("bootstrap.servers", "");
    }

    /** Returns the settings of the router. */
    public RouterSettings settings() {
        List<Target> targets = clusters.stream()
                .map(cluster -> new Target(servers(cluster), Map.copyOf(cluster), topic))
                .toList();
        return RouterSettings.of(targets, partitions)
                .withRoom(MOST_RECORDS, queue)
                .withTimes(failover, probe);
    }

    /** Returns a text with the servers, but without other settings of the producers such as passwords. */
    @Override
    public String toString() {
        return "RouteOptions[key=" + key + ", topic=" + topic + ", servers="
                + clusters.stream().map(RouteOptions::servers).toList() + ", partitions=" + partitions + ", value="
                + value
                + "]";
    }
}
