package io.updraft.pipeline.kafka;

import io.updraft.kafka.reader.KafkaReader;
import io.updraft.kafka.reader.LogContinuityCheck;
import io.updraft.kafka.reader.LogIdentity;
import io.updraft.kafka.reader.ReaderConfig;
import io.updraft.kafka.share.ClusterPartition;
import io.updraft.kafka.share.Share;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.RecordSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;

/** Checks whether logs are the ones that were read before: state of removed records must not apply to new ones. */
record KafkaLogCheck(Map<String, ReaderConfig> clusters, Function<ClusterPartition, String> names) {

    private static final Duration ANSWER = Duration.ofSeconds(5);

    /** Requests the logs of all partitions of shares; waits for the answers. */
    Map<ClusterPartition, LogContinuityCheck.Answer> look(List<Share.Assigned> shares) {
        Map<String, Map<TopicPartition, LogContinuityCheck.Question>> questions = new HashMap<>();
        for (Share.Assigned share : shares) {
            for (ClusterPartition partition : share.partitions()) {
                questions
                        .computeIfAbsent(partition.cluster(), cluster -> new HashMap<>())
                        .put(id(partition), question(share, partition));
            }
        }
        Map<ClusterPartition, LogContinuityCheck.Answer> answers = new HashMap<>();
        questions.forEach((cluster, clusterQuestions) -> LogContinuityCheck.check(
                        clusters.get(cluster), clusterQuestions, ANSWER)
                .forEach((id, answer) ->
                        answers.put(new ClusterPartition(cluster, id.topic(), id.partition()), answer)));
        return answers;
    }

    private static TopicPartition id(ClusterPartition partition) {
        return new TopicPartition(partition.topic(), partition.partition());
    }

    private LogContinuityCheck.Question question(Share.Assigned share, ClusterPartition partition) {
        Long position = share.progress().positions().get(partition);
        if (position == null) {
            return new LogContinuityCheck.Question(-1, LogIdentity.NONE);
        }
        String name = names.apply(partition);
        ProcessedRanges seen =
                KafkaShare.read(share.progress(), partition, name, position).processed();
        return new LogContinuityCheck.Question(
                Math.max(position, seen.end()), KafkaShare.readLog(share.progress(), partition, name));
    }

    /** Returns the part of a commit that is still valid for a log. Records that replaced removed ones have not been seen. */
    static PartitionPosition validPart(PartitionPosition kept, LogContinuityCheck.Answer log) {
        return kept.before(log.sameUntil() == 0 ? KafkaReader.EARLIEST : log.sameUntil());
    }

    /** Returns from where a log that is not the same any more is read, and why. */
    static RecordSource.Event.Relocated resumed(
            String name, PartitionPosition kept, PartitionPosition last, LogContinuityCheck.Answer log) {
        String to = place(last.position());
        String reason = log.reason() + ": reading it from " + to + " on, and forgetting the state of later records";
        return new RecordSource.Event.Relocated(name, place(kept.position()), to, reason);
    }

    /** Returns where reading begins, in words. */
    static String place(long offset) {
        if (offset < 0) {
            return offset == KafkaReader.LATEST ? "its end" : "its beginning";
        }
        return "offset " + offset;
    }
}
