package io.updraft.kafka.share;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupAssignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.TopicPartition;

/**
 * The decision of a group's leader which members work: those that agree with the one that has worked longest. Members of older
 * versions do not describe themselves. They always work.
 */
final class GroupRoles {

    private static final Comparator<Map.Entry<String, Subscription>> MOST_PARTITIONS_FIRST = Comparator.comparingInt(
            member -> -member.getValue().ownedPartitions().size());

    private final boolean divided;
    private final Map<String, Subscription> members;
    private final Map<String, ProcessDescription> described = new HashMap<>();
    private final List<String> byRank;
    private final Optional<ProcessDescription> first;

    /**
     * Reads the descriptions.
     *
     * @param divided whether the members share the partitions
     * @param offset where a description begins in the data of a subscription
     */
    GroupRoles(Map<String, Subscription> members, boolean divided, int offset) {
        this.members = members;
        this.divided = divided;
        members.forEach((member, subscription) ->
                read(subscription.userData(), offset).ifPresent(process -> described.put(member, process)));
        this.byRank = members.entrySet().stream()
                .sorted(MOST_PARTITIONS_FIRST
                        .thenComparing(
                                member -> described.get(member.getKey()),
                                Comparator.nullsFirst(ProcessDescription.OLDEST_FIRST))
                        .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .toList();
        this.first = byRank.stream().filter(described::containsKey).findFirst().map(described::get);
    }

    private static Optional<ProcessDescription> read(ByteBuffer data, int offset) {
        if (data == null || data.limit() < offset) {
            return Optional.empty();
        }
        byte[] bytes = new byte[data.limit() - offset];
        data.duplicate().position(offset).get(bytes);
        return ProcessDescription.read(bytes);
    }

    boolean agrees(String member) {
        ProcessDescription process = described.get(member);
        return process == null
                || process.conflict(first.orElseThrow(), "", divided).isEmpty();
    }

    /** Returns the member that gets all partitions if they are not divided. */
    String sole() {
        return byRank.stream().filter(this::agrees).findFirst().orElseThrow();
    }

    /** Adds the roles to the partitions of the members. Members that may not work get none. */
    GroupAssignment withRoles(Map<String, Assignment> assigned, int partitions) {
        Map<String, List<TopicPartition>> granted = granted(assigned);
        int count = granted.values().stream().mapToInt(List::size).sum();
        int working = (int) members.keySet().stream().filter(this::agrees).count();
        Map<String, Assignment> all = new HashMap<>();
        granted.forEach((member, grantedPartitions) -> {
            MemberRole.Kind kind = MemberRole.Kind.WORKS;
            if (!agrees(member)) {
                kind = MemberRole.Kind.DIFFERS;
            } else if (grantedPartitions.isEmpty() && (!divided || count == partitions)) {
                kind = MemberRole.Kind.WAITS;
            }
            Optional<ProcessDescription> other =
                    divided || kind == MemberRole.Kind.DIFFERS ? first : Optional.ofNullable(described.get(sole()));
            all.put(
                    member,
                    new Assignment(
                            grantedPartitions, new MemberRole(kind, divided, working, partitions, other).written()));
        });
        return new GroupAssignment(all);
    }

    /** Leaves out the partitions of members that may not work, for others too until those members have released them. */
    private Map<String, List<TopicPartition>> granted(Map<String, Assignment> assigned) {
        Set<TopicPartition> held = new HashSet<>();
        members.forEach((member, subscription) -> {
            if (!agrees(member)) {
                held.addAll(subscription.ownedPartitions());
            }
        });
        Map<String, List<TopicPartition>> granted = new HashMap<>();
        members.keySet().forEach(member -> {
            Assignment grantedPartitions = assigned.get(member);
            List<TopicPartition> partitions = new ArrayList<>();
            if (grantedPartitions != null && agrees(member)) {
                partitions.addAll(grantedPartitions.partitions());
                partitions.removeAll(held);
            }
            granted.put(member, partitions);
        });
        return granted;
    }
}
