package io.updraft.kafka.unit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.TopicPartition;

/**
 * Assigns all partitions to one member for as long as it lives. The other members stand by. For work that cannot be divided.
 * Configured as {@code partition.assignment.strategy} of the group's consumers.
 */
public final class SoleMemberAssignor implements ConsumerPartitionAssignor {

    private static final Comparator<Map.Entry<String, Subscription>> BY_PARTITIONS_OWNED = Comparator.comparingInt(
            member -> member.getValue().ownedPartitions().size());

    @Override
    public String name() {
        return "updraft-sole-member";
    }

    @Override
    public List<RebalanceProtocol> supportedProtocols() {
        // Cooperative, so that the owner keeps the partitions while others join and leave.
        return List.of(RebalanceProtocol.COOPERATIVE, RebalanceProtocol.EAGER);
    }

    @Override
    public GroupAssignment assign(Cluster cluster, GroupSubscription subscriptions) {
        Map<String, Subscription> members = subscriptions.groupSubscription();
        String sole = members.entrySet().stream()
                .max(BY_PARTITIONS_OWNED.thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .orElseThrow();
        Map<String, Assignment> assignments = new HashMap<>();
        members.forEach((member, subscription) -> assignments.put(
                member, new Assignment(member.equals(sole) ? partitions(cluster, subscription) : List.of())));
        return new GroupAssignment(assignments);
    }

    private static List<TopicPartition> partitions(Cluster cluster, Subscription subscription) {
        List<TopicPartition> all = new ArrayList<>();
        for (String topic : subscription.topics()) {
            for (int partition = 0; partition < cluster.partitionCountForTopic(topic); partition++) {
                all.add(new TopicPartition(topic, partition));
            }
        }
        return all;
    }
}
