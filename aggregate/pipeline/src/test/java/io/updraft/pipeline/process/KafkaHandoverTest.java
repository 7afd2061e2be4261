package io.updraft.pipeline.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.servers.KafkaServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.errors.RetriableException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that come and go by themselves, under load: results go on coming, and each record is counted once. */
@Tag("long")
final class KafkaHandoverTest {

    private static final int PARTITIONS = 12;
    private static final int KEYS = 5_000;
    private static final int BURST = 500;

    /** So many results may be missing, or no more is sent: else a slow machine would never be done. Some windows of all keys. */
    private static final int BACKLOG = 4 * KEYS;

    private static final long BEGIN = 1_357_000_000_000L;

    private static final Duration LIMIT = Duration.ofMinutes(8);
    private static final Duration POLL = Duration.ofMillis(5);

    /** Who leaves says so: nobody waits until a session is over, which is longer. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(40);

    /** One step of the test, when it is over. */
    private interface Until {
        boolean isReached() throws Exception;
    }

    @TempDir
    Path directory;

    private KafkaServer kafka;
    private PipelineProcesses processes;
    private final KafkaTotals totals = new KafkaTotals();
    private final Random random = new Random(11);
    private long deadline;
    private int sent;
    private long lastResult;
    private long silence;

    @Test
    void shouldGoOnWritingResultsWhileProcessesJoinAndLeave() throws Exception {
        try (KafkaServer server = KafkaServer.start()) {
            kafka = server;
            kafka.createTopic("in", PARTITIONS, 1);
            kafka.createTopic("out", 4, 1);
            try (PipelineProcesses its = new PipelineProcesses(directory, yaml());
                    totals) {
                processes = its;
                totals.readFrom(kafka, "out", 4);
                run();
            }
        }
        assertThat(totals.doubles()).isEmpty();
        assertThat(Duration.ofNanos(silence)).isLessThan(LONGEST_SILENCE);
    }

    private void run() throws Exception {
        deadline = System.nanoTime() + LIMIT.toNanos();
        processes.start();
        flow("the first result", () -> !totals.results().isEmpty());
        silence = 0;
        // The third comes while the first still hands over to the second.
        join();
        flow("a second member", this::hasTwoMembers);
        join();
        flow("three shares", this::isShared);
        for (int i = 0; i < 2; i++) {
            java.lang.Process leaving = processes.stop(0);
            flow("the end of a process", () -> !leaving.isAlive());
            processes.forget(leaving);
            flow("two shares", this::isShared);
            join();
            flow("three shares", this::isShared);
        }
        totals.flush();
        lastResult = System.nanoTime();
        settle("all results", () -> {
            totals.sendEnd(kafka, "in", PARTITIONS);
            return totals.results().equals(totals.expected());
        });
    }

    private void join() throws IOException {
        processes.start();
    }

    private void flow(String what, Until until) throws Exception {
        settle(what, () -> {
            if (totals.expected().size() - totals.results().size() < BACKLOG) {
                for (int end = sent + BURST; sent < end; sent++) {
                    send();
                }
            }
            return until.isReached();
        });
    }

    private void settle(String what, Until until) throws Exception {
        while (!until.isReached()) {
            assertThat(System.nanoTime())
                    .as(() -> "deadline; no " + what + "; " + totals.state() + processes.logs())
                    .isLessThan(deadline);
            read();
        }
    }

    private boolean hasTwoMembers() throws Exception {
        return group().filter(group -> group.members().size() == 2).isPresent();
    }

    /** Empty where the broker cannot tell just now. */
    private Optional<ConsumerGroupDescription> group() throws Exception {
        try {
            return Optional.of(kafka.admin()
                    .describeConsumerGroups(List.of("handover"))
                    .describedGroups()
                    .get("handover")
                    .get());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RetriableException) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private boolean isShared() throws Exception {
        int share = PARTITIONS / processes.running();
        return group().filter(group -> group.groupState() == GroupState.STABLE)
                .filter(group -> group.members().size() == processes.running())
                .filter(group -> group.members().stream()
                        .allMatch(
                                member -> member.assignment().topicPartitions().size() == share))
                .isPresent();
    }

    private String yaml() {
        return """
                name: handover
                source:
                  kafka: {bootstrap: "%s", topic: in, session: 60s}
                time: {field: at, disorder: 2s, idle: 1h}
                keyed: true
                parallelism: 2
                sinks:
                  - kafka: {bootstrap: "%s", topic: out, exactly_once: true, format: csv}
                %s""".formatted(kafka.bootstrap(), kafka.bootstrap(), totals.query());
    }

    private void send() {
        String metric = "m" + random.nextInt(KEYS);
        long time = BEGIN + sent * 2L - random.nextInt(1_000);
        totals.send(kafka, "in", KafkaTotals.partition(metric, PARTITIONS), time, metric, random.nextInt(1_000));
    }

    private void read() {
        if (totals.read(POLL) > 0) {
            long now = System.nanoTime();
            silence = lastResult == 0 ? 0 : Math.max(silence, now - lastResult);
            lastResult = now;
        }
    }
}
