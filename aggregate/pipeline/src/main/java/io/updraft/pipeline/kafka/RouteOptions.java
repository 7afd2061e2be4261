package io.updraft.pipeline.kafka;

import io.updraft.kafka.router.RouterSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(RouteOptions.class);
    private static final String ANSWER_MILLIS = "5000";
    private static final int MAX_RECORDS = 1_000_000;

    /** The value of a written record. */
    public enum Value {
        /** The record as it was read. */
        RECORD,
        /** Each row of the record, as a JSON object. */
        ROW
    }

    /**
     * Checks the values. Throws an {@link IllegalArgumentException} when there is no key, no cluster or no partition, or a
     * cluster occurs twice.
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
        List<RouterSettings.Target> targets = clusters.stream()
                .map(cluster -> new RouterSettings.Target(servers(cluster), Map.copyOf(cluster), topic))
                .toList();
        return RouterSettings.of(targets, partitions)
                .withLimits(MAX_RECORDS, queue)
                .withTimes(failover, probe);
    }

    /**
     * Checks that the clusters have the topic with enough partitions, as far as they answer. Throws an {@link
     * IllegalArgumentException} when a topic is missing or has too few partitions, or no cluster answers.
     */
    public void check() {
        int answers = 0;
        String silence = "";
        for (Map<String, String> cluster : clusters) {
            try {
                int found = partitions(cluster, topic);
                answers++;
                if (found < partitions) {
                    throw new IllegalArgumentException("topic " + topic + " at "
                            + servers(cluster)
                            + (found == 0
                                    ? " is missing: create it with"
                                    : " has " + found + " partitions: extend it to")
                            + " at least " + partitions + " partitions, as in 'route: partitions'");
                }
            } catch (KafkaException e) {
                silence = servers(cluster) + ": " + e.getMessage();
                LOG.warn("route: no answer yet from {}", silence);
            }
        }
        if (answers == 0) {
            throw new IllegalArgumentException("route: no cluster answers; " + silence);
        }
    }

    private static int partitions(Map<String, String> cluster, String topic) {
        Map<String, Object> settings = new HashMap<>(cluster);
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, ANSWER_MILLIS);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, ANSWER_MILLIS);
        try (Admin admin = Admin.create(settings)) {
            var topics = admin.describeTopics(List.of(topic)).allTopicNames().get();
            return topics.get(topic).partitions().size();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return 0;
            }
            throw new KafkaException(e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new KafkaException("interrupted", e);
        }
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
