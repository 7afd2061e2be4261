package io.updraft.kafka.share;

import java.util.List;
import java.util.Map;

/**
 * A Kafka cluster and the topics to read.
 *
 * @param name the name in the configuration and in messages; unique among the clusters of a group
 * @param properties properties of Kafka clients: {@code bootstrap.servers} and security
 * @param topics at least one topic; tools should show the committed offsets and the lag of the first
 */
public record ClusterTopics(String name, Map<String, Object> properties, List<String> topics) {

    /** Copies the properties and the topics. */
    public ClusterTopics {
        properties = Map.copyOf(properties);
        topics = List.copyOf(topics);
        if (topics.isEmpty()) {
            throw new IllegalArgumentException("the cluster " + name + " needs at least one topic to read");
        }
    }
}
