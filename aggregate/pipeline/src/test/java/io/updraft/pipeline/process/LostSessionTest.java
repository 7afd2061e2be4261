package io.updraft.pipeline.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.pipeline.run.Pipelines;
import io.updraft.pipeline.run.RunningPipeline;
import io.updraft.pipeline.spec.SpecReader;
import io.updraft.servers.KafkaServer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RetriableException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run whose process has lost its session continues, and ends when all records are read. */
@Tag("slow")
final class LostSessionTest {

    private static final int PARTITIONS = 4;
    private static final int RECORDS = 4_000;
    private static final long BEGIN = 1_357_000_000_000L;
    private static final long END = BEGIN + RECORDS * 100L;
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration POLL = Duration.ofMillis(20);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCountEachRecordOnceAlthoughItsSessionIsLost(boolean keyed) throws Exception {
        try (KafkaServer kafka = KafkaServer.start();
                KafkaTotals totals = new KafkaTotals();
                KafkaProducer<byte[], byte[]> last =
                        kafka.producer("transactional.id", "last", "transaction.timeout.ms", 600_000)) {
            kafka.createTopic("in", PARTITIONS, 1);
            kafka.createTopic("out", 1, 1);
            totals.readFrom(kafka, "out", 1);
            fill(kafka, totals);
            // The run cannot end before this does.
            last.initTransactions();
            last.beginTransaction();
            last.send(new ProducerRecord<>(
                            "in", 0, null, ("{\"at\":" + END + ",\"metric\":\"last\",\"value\":1}").getBytes(UTF_8)))
                    .get();
            totals.expected().put(KafkaTotals.key(END / 60_000 * 60_000, "last"), new KafkaTotals.Result(1, 1));
            try (RunningPipeline running =
                    Pipelines.start(new SpecReader(Map.of()).read("test.yaml", yaml(kafka, keyed, totals), "lost"))) {
                // On a busy machine it may have lost one before, and have read some again.
                await(running, () -> running.progress().records() >= RECORDS);
                AtomicReference<Set<String>> before = new AtomicReference<>();
                await(running, () -> {
                    before.set(members(kafka));
                    return before.get().size() == 1;
                });
                kafka.admin()
                        .removeMembersFromConsumerGroup("lost", new RemoveMembersFromConsumerGroupOptions())
                        .all()
                        .get();
                await(running, () -> {
                    Set<String> now = members(kafka);
                    return now.size() == 1 && !now.equals(before.get());
                });
                last.commitTransaction();
                assertThat(running.awaitEnd(LIMIT)).isTrue();
                assertThat(running.failure()).isNull();
            }
            Await.until(
                    "all results are read",
                    LIMIT,
                    () -> totals.read(POLL) == 0
                            && totals.results().size() >= totals.expected().size(),
                    totals::state);
            assertThat(totals.results()).isEqualTo(totals.expected());
            assertThat(totals.doubles()).isEmpty();
        }
    }

    private static void fill(KafkaServer kafka, KafkaTotals totals) {
        for (int i = 0; i < RECORDS; i++) {
            String metric = "m" + i % 50;
            totals.send(kafka, "in", KafkaTotals.partition(metric, PARTITIONS), BEGIN + i * 100L, metric, i % 7);
        }
        totals.flush();
    }

    /** Those that have partitions. */
    private static Set<String> members(KafkaServer kafka) throws Exception {
        try {
            Collection<MemberDescription> members = kafka.admin()
                    .describeConsumerGroups(List.of("lost"))
                    .describedGroups()
                    .get("lost")
                    .get()
                    .members();
            return members.stream()
                    .filter(member -> member.assignment().topicPartitions().size() == PARTITIONS)
                    .map(MemberDescription::consumerId)
                    .collect(Collectors.toSet());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RetriableException) {
                return Set.of();
            }
            throw e;
        }
    }

    private static String yaml(KafkaServer kafka, boolean keyed, KafkaTotals totals) {
        return """
                name: lost
                source:
                  kafka: {bootstrap: "%1$s", topic: in, to_end: true}
                time: {field: at, disorder: 2s, idle: 1h}
                keyed: %2$s
                parallelism: 2
                sinks:
                  - kafka: {bootstrap: "%1$s", topic: out, exactly_once: true, format: csv}
                %3$s""".formatted(kafka.bootstrap(), keyed, totals.query());
    }

    private static void await(RunningPipeline running, Callable<Boolean> condition) throws Exception {
        Await.until(
                "the run is so far",
                LIMIT,
                () -> {
                    if (condition.call()) {
                        return true;
                    }
                    assertThat(running.awaitEnd(POLL)).as(running.failure()).isFalse();
                    return false;
                },
                running::progress);
    }
}
