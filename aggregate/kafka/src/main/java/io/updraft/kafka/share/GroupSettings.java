package io.updraft.kafka.share;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The settings of a {@link GroupCoordinator}.
 *
 * @param cluster the cluster; its first topic represents the shares and must have the most partitions
 * @param group the group's name, {@code group.id}
 * @param member this process's name, its {@code client.id}; unique to each life of each process
 * @param session how long a process may be silent before its shares are assigned to others; brokers refuse less than their
 *     {@code group.min.session.timeout.ms}, 6 s by default
 * @param patience how long a process may take to release a share
 * @param process what the other processes of the group learn of this one; null for nothing
 * @param overrides properties of the group's consumer that override those set here
 */
public record GroupSettings(
        ClusterTopics cluster,
        String group,
        String member,
        Duration session,
        Duration patience,
        ProcessDescription process,
        Map<String, Object> overrides) {

    private static final Duration LEAST_POLL = Duration.ofSeconds(30);
    private static final Duration NEW_PARTITIONS = Duration.ofSeconds(30);

    /** Copies the overrides. */
    public GroupSettings {
        overrides = Map.copyOf(overrides);
    }

    /**
     * Returns settings with a session of 6 s, which every broker accepts, a patience of 30 s, and a random member name.
     */
    public static GroupSettings of(ClusterTopics cluster, String group) {
        return new GroupSettings(
                cluster,
                group,
                group + "-" + UUID.randomUUID(),
                Duration.ofSeconds(6),
                Duration.ofSeconds(30),
                null,
                Map.of());
    }

    /** Sets the session timeout. */
    public GroupSettings withSession(Duration session) {
        return new GroupSettings(cluster, group, member, session, patience, process, overrides);
    }

    /** Sets the patience. */
    public GroupSettings withPatience(Duration timeout) {
        return new GroupSettings(cluster, group, member, session, timeout, process, overrides);
    }

    /**
     * Sets other properties of the group's consumer. With {@code group.protocol=consumer} the group uses Kafka 4's own
     * protocol, where the broker sets the session timeout.
     */
    public GroupSettings withOverrides(Map<String, Object> overrides) {
        return new GroupSettings(cluster, group, member, session, patience, process, overrides);
    }

    /** Sets what the other processes of the group learn of this one, so that those that differ notice it. */
    public GroupSettings withProcess(ProcessDescription process) {
        return new GroupSettings(cluster, group, member, session, patience, process, overrides);
    }

    Duration newPartitions() {
        Object millis = consumerProperties().get("metadata.max.age.ms");
        return Duration.ofMillis(Long.parseLong(millis.toString().trim()));
    }

    Map<String, Object> consumerProperties() {
        Map<String, Object> properties = new HashMap<>(cluster.properties());
        // Added partitions are found when the client refreshes its metadata: by default after five minutes.
        properties.putIfAbsent("metadata.max.age.ms", Math.toIntExact(NEW_PARTITIONS.toMillis()));
        properties.put("group.id", group);
        properties.put("client.id", member);
        properties.put("enable.auto.commit", "false");
        properties.put("auto.offset.reset", "earliest");
        // Makes the consumer wait for offsets in open transactions instead of omitting them.
        properties.put("isolation.level", "read_committed");
        // Also limits how long others wait in a rebalance. Must exceed the longest wait of the coordinator's thread.
        long most = Math.max(patience.toMillis(), LEAST_POLL.toMillis()) + session.toMillis() + 5_000;
        properties.put("max.poll.interval.ms", Math.toIntExact(most));
        properties.put("key.deserializer", "org.apache.kafka.common.serialization.ByteArrayDeserializer");
        properties.put("value.deserializer", "org.apache.kafka.common.serialization.ByteArrayDeserializer");
        if ("classic".equals(overrides.getOrDefault("group.protocol", "classic"))) {
            properties.put("partition.assignment.strategy", DividingAssignor.class.getName());
            properties.put("session.timeout.ms", Math.toIntExact(session.toMillis()));
            properties.put("heartbeat.interval.ms", Math.toIntExact(Math.max(1, session.toMillis() / 12)));
        }
        properties.putAll(overrides);
        return properties;
    }
}
