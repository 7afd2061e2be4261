package io.updraft.kafka.reader;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Looks up the leaders of partitions periodically, without blocking. Used by one thread. */
final class LeaderLookup implements AutoCloseable {

    private static final long CALM_NANOS = TimeUnit.MILLISECONDS.toNanos(1_000);
    private static final long HASTY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Admin admin;
    private Map<String, KafkaFuture<TopicDescription>> asked;
    private long last = System.nanoTime() - CALM_NANOS;

    LeaderLookup(ReaderConfig config) {
        admin = Admin.create(KafkaClientSettings.ofAdmin(config));
    }

    /**
     * An answer to a lookup.
     *
     * @param leaders the existing partitions and their leaders; a null leader if a partition has none now
     * @param failures the failures by topic, such as {@code UnknownTopicOrPartitionException}
     */
    record Answer(Map<TopicPartition, Node> leaders, Map<String, Throwable> failures) {

        /** Returns the failure if no broker has answered; null if one has. The absence of a topic is an answer. */
        Throwable silence() {
            return leaders.isEmpty()
                    ? failures.values().stream()
                            .filter(failure -> failure instanceof RetriableException
                                    && !(failure instanceof UnknownTopicOrPartitionException))
                            .findAny()
                            .orElse(null)
                    : null;
        }

        /** Returns whether the answer contains a topic. A topic that was assigned after the request is not in the answer. */
        boolean knows(String topic) {
            return leaders.containsKey(new TopicPartition(topic, 0));
        }
    }

    /** Sends a request if the interval has passed and no request is open. */
    void ask(Supplier<Collection<String>> topics, boolean hasty) {
        long now = System.nanoTime();
        if (asked == null && now - last > (hasty ? HASTY_NANOS : CALM_NANOS)) {
            last = now;
            asked = admin.describeTopics(topics.get()).topicNameValues();
        }
    }

    /** Returns the answer to the last request; null if none has arrived. */
    Answer poll() {
        if (asked == null || !asked.values().stream().allMatch(KafkaFuture::isDone)) {
            return null;
        }
        Answer answer = read();
        asked = null;
        return answer;
    }

    private Answer read() {
        Answer answer = new Answer(new HashMap<>(), new HashMap<>());
        asked.forEach((topic, future) -> {
            try {
                for (TopicPartitionInfo partition : future.get().partitions()) {
                    Node leader =
                            partition.leader() == null || partition.leader().isEmpty() ? null : partition.leader();
                    answer.leaders().put(new TopicPartition(topic, partition.partition()), leader);
                }
            } catch (ExecutionException e) {
                answer.failures().put(topic, e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return answer;
    }

    @Override
    public void close() {
        admin.close(java.time.Duration.ZERO);
    }
}
