package io.updraft.pipeline.sink;

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

/** Checks that the clusters of a route have its topic with enough partitions. */
public final class RouteCheck {

    private static final Logger LOG = LoggerFactory.getLogger(RouteCheck.class);
    private static final String MILLIS = "5000";

    private RouteCheck() {}

    /**
     * Checks each cluster. A cluster that does not answer is tolerated, as long as another one does.
     *
     * @throws IllegalArgumentException when a topic is missing or has too few partitions, or no cluster answers
     */
    public static void check(RouteOptions route) {
        int answers = 0;
        String silence = "";
        for (Map<String, String> cluster : route.clusters()) {
            try {
                int partitions = partitions(cluster, route.topic());
                answers++;
                if (partitions < route.partitions()) {
                    throw new IllegalArgumentException("topic " + route.topic() + " at "
                            + RouteOptions.servers(cluster)
                            + (partitions == 0
                                    ? " is missing: create it with"
                                    : " has " + partitions + " partitions: extend it to")
                            + " at least " + route.partitions() + " partitions, as in 'route: partitions'");
                }
            } catch (KafkaException e) {
                silence = RouteOptions.servers(cluster) + ": " + e.getMessage();
                LOG.warn("route: no answer yet from {}", silence);
            }
        }
        if (answers == 0) {
            throw new IllegalArgumentException("route: no cluster answers; " + silence);
        }
    }

    private static int partitions(Map<String, String> cluster, String topic) {
        Map<String, Object> settings = new HashMap<>(cluster);
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, MILLIS);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, MILLIS);
        try (Admin admin = Admin.create(settings)) {
            return admin.describeTopics(List.of(topic))
                    .allTopicNames()
                    .get()
                    .get(topic)
                    .partitions()
                    .size();
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
}
