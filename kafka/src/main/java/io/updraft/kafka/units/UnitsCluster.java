package io.updraft.kafka.units;

import java.util.List;
import java.util.Map;

/**
 * A Kafka cluster and the topics of it that are read.
 *
 * @param name what configuration and messages call it; unique among the clusters of a group
 * @param properties how a client reaches it: {@code bootstrap.servers} and what security needs
 * @param topics at least one; the first is the one whose committed offsets and lag tools should look at first
 */
public record UnitsCluster(String name, Map<String, Object> properties, List<String> topics) {

    /** Copies both. */
    public UnitsCluster {
        properties = Map.copyOf(properties);
        topics = List.copyOf(topics);
        if (topics.isEmpty()) {
            throw new IllegalArgumentException("The cluster " + name + " needs at least one topic to read.");
        }
    }
}
