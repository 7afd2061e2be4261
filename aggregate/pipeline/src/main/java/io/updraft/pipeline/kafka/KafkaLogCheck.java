package io.updraft.pipeline.kafka;

import io.updraft.kafka.reader.KafkaReader;
import io.updraft.kafka.reader.LogContinuityCheck;
import io.updraft.kafka.reader.LogIdentity;
import io.updraft.kafka.reader.ReaderConfig;
import io.updraft.kafka.unit.AssignedUnit;
import io.updraft.kafka.unit.UnitPartition;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.UnitPosition;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;

/** Checks whether logs are the ones that were read before: state of removed records must not apply to new ones. */
record KafkaLogCheck(Map<String, ReaderConfig> clusters, Function<UnitPartition, String> names) {

    private static final Duration ANSWER = Duration.ofSeconds(5);

    /** Requests the logs of all partitions of units; waits for the answers. */
    Map<UnitPartition, LogContinuityCheck.Answer> look(List<AssignedUnit> units) {
        Map<String, Map<TopicPartition, LogContinuityCheck.Question>> questions = new HashMap<>();
        for (AssignedUnit unit : units) {
            for (UnitPartition partition : unit.partitions()) {
                questions
                        .computeIfAbsent(partition.cluster(), cluster -> new HashMap<>())
                        .put(id(partition), question(unit, partition));
            }
        }
        Map<UnitPartition, LogContinuityCheck.Answer> answers = new HashMap<>();
        questions.forEach((cluster, its) -> LogContinuityCheck.check(clusters.get(cluster), its, ANSWER)
                .forEach((id, answer) -> answers.put(new UnitPartition(cluster, id.topic(), id.partition()), answer)));
        return answers;
    }

    private static TopicPartition id(UnitPartition partition) {
        return new TopicPartition(partition.topic(), partition.partition());
    }

    private LogContinuityCheck.Question question(AssignedUnit unit, UnitPartition partition) {
        Long position = unit.progress().positions().get(partition);
        if (position == null) {
            return new LogContinuityCheck.Question(-1, LogIdentity.NONE);
        }
        String name = names.apply(partition);
        ProcessedRanges seen =
                KafkaClaim.read(unit.progress(), partition, name, position).processed();
        return new LogContinuityCheck.Question(
                Math.max(position, seen.end()), KafkaClaim.readLog(unit.progress(), partition, name));
    }

    /** Returns the part of a commit that is still valid for a log. Records that replaced removed ones have not been seen. */
    static UnitPosition validPart(UnitPosition kept, LogContinuityCheck.Answer log) {
        return kept.before(log.sameUntil() == 0 ? KafkaReader.EARLIEST : log.sameUntil());
    }

    /** Returns from where a log that is not the same any more is read, and why. */
    static RecordSource.Event.Relocated resumed(
            String name, UnitPosition kept, UnitPosition last, LogContinuityCheck.Answer log) {
        String to = place(last.position());
        String reason = log.why() + ": reading it from " + to + " on, and forgetting the state of later records";
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
