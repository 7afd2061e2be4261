package io.updraft.cli;

import io.updraft.servers.KafkaServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the history of a process says about the partitions that it shares with other processes. */
@Tag("long")
class PartitionMovesTest {
    @TempDir
    Path directory;

    @Test
    void shouldTellWhichPartitionsMovedBetweenProcessesAndWhy() throws Exception {
        try (KafkaServer kafka = KafkaServer.start()) {
            kafka.createTopic("shared-in", 2, 1);
            try (ObservedRun first = start("first", kafka)) {
                awaitMove(
                        first,
                        "shared-in-0 moved from the group to this process, task \\d: this process has joined group");
                awaitMove(
                        first,
                        "shared-in-1 moved from the group to this process, task \\d: this process has joined group");
                try (ObservedRun second = start("second", kafka)) {
                    awaitMove(
                            first,
                            "shared-in-\\d moved from this process, task \\d to the group: a process has joined group");
                    awaitMove(
                            second,
                            "shared-in-\\d moved from the group to this process, task \\d: this process has joined group");
                }
                // The second process was killed.
                awaitMove(
                        first,
                        "shared-in-\\d moved from the group to this process, task \\d: a process has left group");
            }
        }
    }

    private static void awaitMove(ObservedRun run, String move) throws Exception {
        run.awaitAnswer("^\\d\\d:\\d\\d:\\d\\d > " + move, "history", "--last=1h", "--moves");
    }

    private ObservedRun start(String name, KafkaServer kafka) throws Exception {
        Path its = Files.createDirectory(directory.resolve(name));
        return ObservedRun.aggregate(its, List.of(), """
                name: shared
                source: {kafka: {bootstrap: "%s", topic: shared-in}}
                format: {type: csv, names: [t, k, v]}
                flatten: {fields: {t: {type: time, format: millis}, k: text, v: long}}
                aggregate: {group_by: k, measures: {n: count(), s: sum(v)}, every: 1s}
                sinks: [{csv: "%s/{window_start}.csv"}]
                time: {field: t, idle: 1s}
                keyed: true
                parallelism: 2
                """.formatted(kafka.bootstrap(), its.resolve("out")));
    }
}
