package io.updraft.kafka.units;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * How a {@link GroupCoordinator} takes part in a group.
 *
 * @param cluster the one cluster; its first topic carries the group and must have the most partitions
 * @param group the group's name, {@code group.id}
 * @param member this process's name: its {@code client.id}, unique to each life of each process
 * @param session how long a process may be silent before its units are given to others; brokers refuse less than their
 *     {@code group.min.session.timeout.ms}, 6 s as shipped
 * @param patience how long a process may take to let go of a unit
 * @param overrides properties of the group's consumer that go over those made here
 */
public record GroupSettings(
        UnitsCluster cluster,
        String group,
        String member,
        Duration session,
        Duration patience,
        Map<String, Object> overrides) {

    private static final Duration LEAST_POLL = Duration.ofSeconds(30);
    private static final Duration NEW_PARTITIONS = Duration.ofSeconds(30);

    /** Copies the overrides. */
    public GroupSettings {
        overrides = Map.copyOf(overrides);
    }

    /**
     * A session of 6 s, which every broker takes, a patience of 30 s, and a name made of chance.
     *
     * @param cluster the one cluster
     * @param group the group's name
     * @return settings to start from
     */
    public static GroupSettings of(UnitsCluster cluster, String group) {
        return new GroupSettings(
                cluster,
                group,
                group + "-" + UUID.randomUUID(),
                Duration.ofSeconds(6),
                Duration.ofSeconds(30),
                Map.of());
    }

    /**
     * Another session timeout.
     *
     * @param session how long a process may be silent
     * @return these settings with it
     */
    public GroupSettings withSession(Duration session) {
        return new GroupSettings(cluster, group, member, session, patience, overrides);
    }

    /**
     * Another patience.
     *
     * @param patience how long a process may take to let go of a unit
     * @return these settings with it
     */
    public GroupSettings withPatience(Duration patience) {
        return new GroupSettings(cluster, group, member, session, patience, overrides);
    }

    /**
     * Other properties of the group's consumer. With {@code group.protocol=consumer} the group runs by Kafka 4's own
     * protocol, where the session is the broker's to set.
     *
     * @param overrides properties that go over those made here
     * @return these settings with them
     */
    public GroupSettings withOverrides(Map<String, Object> overrides) {
        return new GroupSettings(cluster, group, member, session, patience, overrides);
    }

    /** How often to look for partitions that were added. */
    Duration newPartitions() {
        Object millis = consumerProperties().get("metadata.max.age.ms");
        return Duration.ofMillis(Long.parseLong(millis.toString().trim()));
    }

    Map<String, Object> consumerProperties() {
        Map<String, Object> all = new HashMap<>(cluster.properties());
        // Partitions that are added are found when metadata is asked for anew: after five minutes, if nobody says
        // otherwise.
        all.putIfAbsent("metadata.max.age.ms", Math.toIntExact(NEW_PARTITIONS.toMillis()));
        all.put("group.id", group);
        all.put("client.id", member);
        all.put("enable.auto.commit", "false");
        all.put("auto.offset.reset", "earliest");
        // So that offsets of a transaction that is still open are waited for and not passed over.
        all.put("isolation.level", "read_committed");
        // Also for how long others wait in a rebalance: longer than any one answer that the coordinator's thread waits
        // for.
        long most = Math.max(patience.toMillis(), LEAST_POLL.toMillis()) + session.toMillis() + 5_000;
        all.put("max.poll.interval.ms", Math.toIntExact(most));
        all.put("key.deserializer", "org.apache.kafka.common.serialization.ByteArrayDeserializer");
        all.put("value.deserializer", "org.apache.kafka.common.serialization.ByteArrayDeserializer");
        if ("classic".equals(overrides.getOrDefault("group.protocol", "classic"))) {
            all.put("partition.assignment.strategy", "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");
            all.put("session.timeout.ms", Math.toIntExact(session.toMillis()));
            all.put("heartbeat.interval.ms", Math.toIntExact(Math.max(1, session.toMillis() / 12)));
        }
        all.putAll(overrides);
        return all;
    }
}
