package io.updraft.kafka.share;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Configurable;
import org.apache.kafka.common.TopicPartition;

/**
 * Assigns all partitions to one member for as long as it lives. The other members stand by. For work that cannot be divided.
 * Configured as {@code partition.assignment.strategy} of the group's consumers.
 */
public final class SoleMemberAssignor implements ConsumerPartitionAssignor, Configurable {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private Membership membership;

    @Override
    public void configure(Map<String, ?> settings) {
        membership = Membership.of(settings);
    }

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
    public ByteBuffer subscriptionUserData(Set<String> topics) {
        return membership.describe(NOTHING);
    }

    @Override
    public void onAssignment(Assignment assignment, ConsumerGroupMetadata group) {
        membership.learn(assignment.userData());
    }

    @Override
    public GroupAssignment assign(Cluster cluster, GroupSubscription subscriptions) {
        Map<String, Subscription> members = subscriptions.groupSubscription();
        GroupRoles roles = new GroupRoles(members, false, 0);
        String sole = roles.sole();
        List<TopicPartition> assigned = partitions(cluster, members.get(sole));
        return roles.withRoles(Map.of(sole, new Assignment(assigned)), assigned.size());
    }

    private static List<TopicPartition> partitions(Cluster cluster, Subscription subscription) {
        List<TopicPartition> assigned = new ArrayList<>();
        for (String topic : subscription.topics()) {
            for (int partition = 0; partition < cluster.partitionCountForTopic(topic); partition++) {
                assigned.add(new TopicPartition(topic, partition));
            }
        }
        return assigned;
    }
}
