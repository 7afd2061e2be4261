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

/** Asks again and again who leads the partitions of some topics, without ever waiting. One thread uses it. */
final class LeaderLookup implements AutoCloseable {

    private static final long CALM_NANOS = TimeUnit.MILLISECONDS.toNanos(1_000);
    private static final long HASTY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Admin admin;
    private Map<String, KafkaFuture<TopicDescription>> asked;
    private long last = System.nanoTime() - CALM_NANOS;

    LeaderLookup(ReaderConfig config) {
        admin = Admin.create(ClientSettings.ofAdmin(config));
    }

    /**
     * What an answer says.
     *
     * @param leaders the partitions that there are, with their leaders; null for one that has none now
     * @param failures what is wrong with a topic, as {@code UnknownTopicOrPartitionException}
     */
    record Answer(Map<TopicPartition, Node> leaders, Map<String, Throwable> failures) {

        /** What went wrong if no broker has answered; null if one has. That a topic is not there is an answer. */
        Throwable silence() {
            return leaders.isEmpty()
                    ? failures.values().stream()
                            .filter(failure -> failure instanceof RetriableException
                                    && !(failure instanceof UnknownTopicOrPartitionException))
                            .findAny()
                            .orElse(null)
                    : null;
        }

        /** Whether anything was said about a topic: one that was assigned after the question is not in the answer. */
        boolean knows(String topic) {
            return leaders.containsKey(new TopicPartition(topic, 0));
        }
    }

    /** Asks if it is time to. */
    void ask(Supplier<Collection<String>> topics, boolean hasty) {
        long now = System.nanoTime();
        if (asked == null && now - last > (hasty ? HASTY_NANOS : CALM_NANOS)) {
            last = now;
            asked = admin.describeTopics(topics.get()).topicNameValues();
        }
    }

    /** Returns what has been answered since; null if nothing. */
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
