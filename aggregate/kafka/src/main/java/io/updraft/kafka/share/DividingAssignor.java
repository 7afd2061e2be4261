package io.updraft.kafka.share;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.Configurable;

/**
 * Kafka's cooperative sticky assignor, for the members that agree. It has the same name, and its own data comes first, so that
 * it works in one group with members that use Kafka's. Configured as {@code partition.assignment.strategy} of the group's
 * consumers.
 */
public final class DividingAssignor extends CooperativeStickyAssignor implements Configurable {

    /** The bytes of Kafka's own data: the generation. */
    private static final int OWN_BYTES = Integer.BYTES;

    private Membership membership;

    @Override
    public void configure(Map<String, ?> settings) {
        membership = Membership.of(settings);
    }

    @Override
    public ByteBuffer subscriptionUserData(Set<String> topics) {
        return membership.describe(super.subscriptionUserData(topics));
    }

    @Override
    public void onAssignment(Assignment assignment, ConsumerGroupMetadata group) {
        super.onAssignment(assignment, group);
        membership.learn(assignment.userData());
    }

    @Override
    public GroupAssignment assign(Cluster cluster, GroupSubscription subscriptions) {
        Map<String, Subscription> members = subscriptions.groupSubscription();
        GroupRoles roles = new GroupRoles(members, true, OWN_BYTES);
        Map<String, Subscription> agreeing = new HashMap<>(members);
        agreeing.keySet().removeIf(member -> !roles.agrees(member));
        int partitions = agreeing.values().stream()
                .flatMap(member -> member.topics().stream())
                .distinct()
                .mapToInt(cluster::partitionCountForTopic)
                .sum();
        return roles.withRoles(
                super.assign(cluster, new GroupSubscription(agreeing)).groupAssignment(), partitions);
    }
}
