package io.updraft.kafka.reader;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConsumerGroupOffsetsResult;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * The offsets that a consumer group has committed, for who divides partitions by itself: the group has no members, it is only where
 * the offsets are kept. (Kafka refuses such commits while the group has members, so that nobody reads by both ways at once.)
 *
 * <p>Threads: one.
 */
public final class GroupOffsets implements AutoCloseable {

    private static final long LIMIT_SECONDS = 30;

    private final String group;
    private final Admin admin;
    private AlterConsumerGroupOffsetsResult asked;

    /**
     * Connects to a cluster.
     *
     * @param config of which the client's settings are taken
     * @param group the group's id
     */
    public GroupOffsets(ReaderConfig config, String group) {
        this.group = group;
        this.admin = Admin.create(ClientSettings.ofAdmin(config));
    }

    /**
     * Asks for the partitions of topics; waits for the answer.
     *
     * @param topics their names
     * @return all their partitions, by topic and number
     * @throws IllegalStateException when that fails, or takes longer than half a minute
     */
    public Collection<TopicPartition> partitions(Collection<String> topics) {
        Collection<TopicPartition> partitions =
                new TreeSet<>((a, b) -> a.topic().equals(b.topic())
                        ? Integer.compare(a.partition(), b.partition())
                        : a.topic().compareTo(b.topic()));
        for (TopicDescription topic : await(
                        "which partitions topics " + topics + " have",
                        () -> admin.describeTopics(topics).allTopicNames().get(LIMIT_SECONDS, TimeUnit.SECONDS))
                .values()) {
            for (TopicPartitionInfo partition : topic.partitions()) {
                partitions.add(new TopicPartition(topic.name(), partition.partition()));
            }
        }
        return partitions;
    }

    /**
     * Asks for what was committed; waits for the answer.
     *
     * @param partitions of which partitions
     * @return the offsets to go on from, of those that have one
     * @throws IllegalStateException when that fails, or takes longer than half a minute
     */
    public Map<TopicPartition, OffsetAndMetadata> committed(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> committed =
                new HashMap<>(await("what group " + group + " has committed", () -> {
                    try {
                        return admin.listConsumerGroupOffsets(group)
                                .partitionsToOffsetAndMetadata()
                                .get(LIMIT_SECONDS, TimeUnit.SECONDS);
                    } catch (ExecutionException e) {
                        if (e.getCause() instanceof GroupIdNotFoundException) {
                            return Map.of();
                        }
                        throw e;
                    }
                }));
        committed.keySet().retainAll(partitions);
        committed.values().removeIf(offset -> offset == null);
        return committed;
    }

    /**
     * Begins to commit; returns at once.
     *
     * @param offsets the offset to go on from, of each partition
     */
    public void commit(Map<TopicPartition, OffsetAndMetadata> offsets) {
        asked = offsets.isEmpty() ? null : admin.alterConsumerGroupOffsets(group, offsets);
    }

    /** {@return whether the newest commit has neither succeeded nor failed yet} */
    public boolean isCommitting() {
        return asked != null && !asked.all().isDone();
    }

    /**
     * Waits for the newest commit.
     *
     * @param limit how long at the most
     * @return why it failed, one line; empty if it has succeeded, or there was none
     */
    public Optional<String> outcome(Duration limit) {
        if (asked == null) {
            return Optional.empty();
        }
        try {
            asked.all().get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.of("offsets of group " + group + " were not committed: " + e.getCause());
        } catch (TimeoutException e) {
            return Optional.of("offsets of group " + group + " were not committed within " + limit.toMillis() + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted while committing the offsets of group " + group);
        }
    }

    private interface Question<T> {
        T ask() throws ExecutionException, InterruptedException, TimeoutException;
    }

    private static <T> T await(String what, Question<T> question) {
        try {
            return question.ask();
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot ask Kafka " + what + ": " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("Kafka has not said " + what + " within " + LIMIT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking Kafka " + what, e);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
