package io.updraft.kafka.spout;

import io.updraft.kafka.reader.ReaderConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConsumerGroupOffsetsResult;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * The committed offsets of a consumer group, for readers that divide partitions themselves. The group has no members; it only
 * stores the offsets. Kafka refuses these commits while the group has members, so nothing is read both ways at once.
 *
 * <p>Not thread-safe: one thread at a time.
 */
final class GroupOffsets implements AutoCloseable {

    private static final long LIMIT_SECONDS = 30;

    private final String group;
    private final Admin admin;
    private AlterConsumerGroupOffsetsResult asked;

    /** Connects to a cluster. */
    public GroupOffsets(ReaderConfig config, String group) {
        this.group = group;
        this.admin = Admin.create(config.admin());
    }

    /**
     * Returns the partitions of topics. Waits for the answer.
     *
     * @return all their partitions, by topic and number
     * @throws IllegalStateException if the request fails or takes longer than 30 s
     */
    public Collection<TopicPartition> partitions(Collection<String> topics) {
        Collection<TopicPartition> partitions =
                new TreeSet<>(Comparator.comparing(TopicPartition::topic).thenComparing(TopicPartition::partition));
        await(
                        "for topics " + topics + " and their partitions",
                        () -> admin.describeTopics(topics).allTopicNames().get(LIMIT_SECONDS, TimeUnit.SECONDS))
                .forEach((topic, about) -> about.partitions()
                        .forEach(partition -> partitions.add(new TopicPartition(topic, partition.partition()))));
        return partitions;
    }

    /**
     * Returns the committed offsets. Waits for the answer.
     *
     * @return the next offset of each partition that has one
     * @throws IllegalStateException if the request fails or takes longer than 30 s
     */
    public Map<TopicPartition, OffsetAndMetadata> committed(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> committed =
                new HashMap<>(await("for group " + group + "'s committed offsets", () -> {
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

    /** Starts a commit. Returns immediately. */
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
     * @return the reason of the failure, one line; empty if the commit succeeded, or there was none
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

    private static <T> T await(String subject, Question<T> question) {
        try {
            return question.ask();
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot ask Kafka " + subject + ": " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IllegalStateException("Kafka's answer " + subject + " took more than " + LIMIT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking Kafka " + subject, e);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
