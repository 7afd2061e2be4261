package io.updraft.kafka.reader;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Checks whether the logs of partitions are still those that were read before. The topic must be the same, and the current
 * leaders must have the records that were read. A leader elected uncleanly lacks records, and assigns their offsets again. The
 * check is Kafka's own (KIP-101, KIP-320): the end offset of the newest leader epoch that was read. Not thread-safe.
 */
public final class LogContinuityCheck {

    /**
     * The known state of a partition.
     *
     * @param until the offset after the last record that was read; negative if none was
     * @param mark the mark of the log that was read; {@link LogIdentity#NONE} if unknown
     */
    public record Question(long until, LogIdentity mark) {}

    /**
     * The result for one partition.
     *
     * @param mark the mark of the current log
     * @param sameUntil records from this offset on differ from those that were read; {@link Long#MAX_VALUE} if none differ, or
     *     if no broker answers
     * @param reason why the log differs, one line; null if it does not
     */
    public record Answer(LogIdentity mark, long sameUntil, String reason) {

        /** {@return whether the log was replaced, or was cut before the last record that was read} */
        public boolean isCut() {
            return sameUntil != Long.MAX_VALUE;
        }
    }

    private final ReaderConfig config;
    private final long deadline;
    private final Map<TopicPartition, Question> questions;
    private final Map<TopicPartition, Answer> answers = new HashMap<>();

    private LogContinuityCheck(ReaderConfig config, Map<TopicPartition, Question> questions, Duration limit) {
        this.config = config;
        this.questions = questions;
        deadline = System.nanoTime() + limit.toNanos();
    }

    /**
     * Checks partitions. Waits for the answers.
     *
     * @param limit the longest wait; a partition without an answer counts as unchanged
     */
    public static Map<TopicPartition, Answer> check(
            ReaderConfig config, Map<TopicPartition, Question> questions, Duration limit) {
        LogContinuityCheck check = new LogContinuityCheck(config, questions, limit);
        check.askForTopics();
        // A new group has read nothing: then there is nothing more to check.
        if (!check.uncut().isEmpty()) {
            check.askLeaders();
        }
        return check.answers;
    }

    private void askForTopics() {
        Map<String, String> ids =
                ids(questions.keySet().stream().map(TopicPartition::topic).collect(Collectors.toSet()));
        questions.forEach((id, question) -> {
            LogIdentity lastMark = question.mark();
            LogIdentity now = new LogIdentity(ids.getOrDefault(id.topic(), lastMark.topicId()), LogIdentity.NO_EPOCH);
            answers.put(
                    id,
                    question.until() >= 0 && now.isOfAnotherTopicThan(lastMark)
                            ? new Answer(now, 0, "topic " + id.topic() + " was recreated after it was read")
                            : new Answer(now.read(lastMark.leaderEpoch()), Long.MAX_VALUE, null));
        });
    }

    private Map<String, String> ids(Collection<String> topics) {
        Map<String, String> ids = new HashMap<>();
        Admin admin = Admin.create(KafkaClientSettings.ofAdmin(config));
        try {
            admin.describeTopics(topics)
                    .topicNameValues()
                    .forEach((topic, description) -> id(description).ifPresent(id -> ids.put(topic, id)));
        } finally {
            admin.close(Duration.ZERO);
        }
        return ids;
    }

    private Optional<String> id(KafkaFuture<TopicDescription> description) {
        try {
            return Optional.of(description
                    .get(left().toMillis(), TimeUnit.MILLISECONDS)
                    .topicId()
                    .toString());
        } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
            return Optional.empty(); // Reading the topic reports the failure.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private void askLeaders() {
        Map<String, Object> settings = KafkaClientSettings.ofReader(
                config.with("isolation.level", "read_uncommitted"),
                String.valueOf(config.client().get("bootstrap.servers")));
        Consumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        try {
            askForEpochs(consumer);
            askForEnds(consumer);
        } finally {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    /** Validates positions with an epoch, which the consumer does before it fetches anything. */
    private void askForEpochs(Consumer<byte[], byte[]> consumer) {
        List<TopicPartition> asked = uncut().stream()
                .filter(id -> questions.get(id).mark().leaderEpoch() >= 0)
                .toList();
        consumer.assign(asked);
        asked.forEach(id -> consumer.seek(
                id,
                new OffsetAndMetadata(
                        questions.get(id).until(),
                        Optional.of(questions.get(id).mark().leaderEpoch()),
                        "")));
        asked.forEach(id -> validate(consumer, id));
    }

    private void validate(Consumer<byte[], byte[]> consumer, TopicPartition id) {
        while (true) {
            try {
                consumer.position(id, left());
                return;
            } catch (LogTruncationException e) {
                e.offsetOutOfRangePartitions()
                        .keySet()
                        .forEach(cut -> consumer.seek(cut, truncated(cut, e.divergentOffsets())));
            } catch (KafkaException e) {
                return; // No broker answers; reading the partition reports it.
            }
        }
    }

    private long truncated(TopicPartition id, Map<TopicPartition, OffsetAndMetadata> divergent) {
        long same = divergent.containsKey(id) ? divergent.get(id).offset() : 0;
        cut(id, same);
        return same;
    }

    /** Compares end offsets, for logs whose epochs are unknown, and for brokers that do not know the epoch. */
    private void askForEnds(Consumer<byte[], byte[]> consumer) {
        try {
            consumer.endOffsets(uncut(), left()).forEach((id, end) -> {
                if (end < questions.get(id).until()) {
                    cut(id, end);
                }
            });
        } catch (KafkaException e) {
            // No broker answers; reading the partition reports it.
        }
    }

    private void cut(TopicPartition id, long sameUntil) {
        long until = questions.get(id).until();
        String reason = "the log of " + id + " was cut to offset " + sameUntil + " after records up to " + until
                + " had been read (an unclean leader election, or the topic was recreated)";
        answers.computeIfPresent(
                id,
                (any, answer) ->
                        new Answer(new LogIdentity(answer.mark().topicId(), LogIdentity.NO_EPOCH), sameUntil, reason));
    }

    private Set<TopicPartition> uncut() {
        return answers.keySet().stream()
                .filter(id -> !answers.get(id).isCut() && questions.get(id).until() >= 0)
                .collect(Collectors.toSet());
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(1_000_000, deadline - System.nanoTime()));
    }
}
