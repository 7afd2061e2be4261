package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.updraft.engine.snapshot.Move;
import io.updraft.engine.testing.CapturedWarnings;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.pipeline.spec.SpecReader;
import io.updraft.servers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kafka logs whose records were replaced after they were read: stored state of old records must not apply to new ones. */
@Tag("one-jdk")
final class CutLogTest {

    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final long BEGIN = Instant.parse("2024-05-01T10:00:00Z").toEpochMilli();
    private static final int WINDOW = 10;

    @TempDir
    Path directory;

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReadATopicThatWasMadeAnewFromItsBeginning(boolean keyed) throws Exception {
        KafkaServer kafka = KafkaServer.shared();
        String topic = "anew-" + keyed;
        kafka.createTopic(topic, 1, 1);
        send(kafka, topic, 0, 60);
        runUntil(kafka, topic, keyed, progress -> progress.windows() == 5);

        // Kafka forgets the group's offsets with the topic; ZooKeeper does not, nor does who copies offsets from
        // elsewhere.
        Map<TopicPartition, OffsetAndMetadata> offsets = kafka.admin()
                .listConsumerGroupOffsets(topic)
                .partitionsToOffsetAndMetadata()
                .get();
        assertThat(offsets).hasSize(1);
        kafka.admin().deleteTopics(List.of(topic)).all().get();
        kafka.createTopic(topic, 1, 1);
        kafka.admin().alterConsumerGroupOffsets(topic, offsets).all().get();
        // Late ones first, at offsets that were seen; more than there were before.
        send(kafka, topic, 0, 40);
        send(kafka, topic, 60, 120);
        try (CapturedWarnings warnings = new CapturedWarnings(Class.forName("io.updraft.pipeline.kafka.KafkaSource"))) {
            RunningPipeline running = start(kafka, topic, keyed, true);
            PipelineProgress progress = ShortRuns.toEnd(running, LIMIT);
            assertThat(progress.late()).isEqualTo(40);
            assertThat(progress.again()).isZero();
            assertThat(warnings.lines())
                    .containsExactly(
                            "topic " + topic + " was recreated after it was read: reading it from its beginning"
                                    + " on, and forgetting the state of later records");
            assertThat(running.moves())
                    .filteredOn(move -> move.reason().equals(warnings.lines().get(0)))
                    .extracting(Move::subject, Move::to)
                    .containsExactly(tuple(topic + "-0", "its beginning"));
        }
        assertThat(results(6))
                .containsOnlyKeys(6, 7, 8, 9, 10, 11)
                .allSatisfy((window, n) -> assertThat(n).isEqualTo(WINDOW));
    }

    /** Two replicas, of which the one that has all dies; the other one becomes the leader without the last records. */
    @Tag("long")
    @Test
    void shouldReadOnWhereAnUncleanElectionHasCutTheLog() throws Exception {
        try (KafkaServer kafka = KafkaServer.cluster(3)) {
            kafka.createTopic(new NewTopic("cut", Map.of(0, List.of(2, 3)))
                    .configs(Map.of("unclean.leader.election.enable", "true", "min.insync.replicas", "1")));
            send(kafka, "cut", 0, 25);
            kafka.broker(3).kill();
            try (RunningPipeline running = start(kafka, "cut", true, false)) {
                send(kafka, "cut", 25, 60);
                ShortRuns.await(running, progress -> progress.windows() == 5 && progress.records() == 60);
                kafka.broker(2).kill();
                kafka.broker(3).start();
                send(kafka, "cut", 100, 130);
                assertThat(running.awaitEnd(LIMIT)).isTrue();
                assertThat(running.failure())
                        .contains("cut-0", "was cut", "offset 60")
                        .endsWith("start the pipeline again to continue with the records that are there now");
            }
            PipelineProgress progress = toEnd(kafka, "cut", true);
            assertThat(progress.late()).isZero();
            assertThat(results(10))
                    .containsOnlyKeys(10, 11, 12)
                    .allSatisfy((window, n) -> assertThat(n).isEqualTo(WINDOW));
        }
    }

    private static void send(KafkaServer kafka, String topic, int fromSecond, int toSecond) {
        try (KafkaProducer<byte[], byte[]> producer = kafka.producer("acks", "all")) {
            for (int second = fromSecond; second < toSecond; second++) {
                String value = (BEGIN + second * 1_000L) + ",p";
                producer.send(new ProducerRecord<>(topic, 0, null, value.getBytes(StandardCharsets.UTF_8)));
            }
        }
    }

    private void runUntil(KafkaServer kafka, String topic, boolean keyed, Predicate<PipelineProgress> condition)
            throws Exception {
        try (RunningPipeline running = start(kafka, topic, keyed, false)) {
            ShortRuns.await(running, condition);
            running.stop();
            assertThat(running.awaitEnd(LIMIT)).isTrue();
            assertThat(running.failure()).isNull();
        }
    }

    private PipelineProgress toEnd(KafkaServer kafka, String topic, boolean keyed) throws Exception {
        return ShortRuns.toEnd(start(kafka, topic, keyed, true), LIMIT);
    }

    private RunningPipeline start(KafkaServer kafka, String topic, boolean keyed, boolean toEnd) throws Exception {
        return Pipelines.start(new SpecReader(Map.of())
                .read(
                        "test.yaml",
                        """
                source: {kafka: {bootstrap: "%s", topic: %s, to_end: %s}}
                format: {type: csv, names: [at, p]}
                flatten: {fields: {at: {type: time, format: millis}, p: text}}
                time: {field: at, idle: 300ms}
                aggregate: {group_by: p, measures: {n: count()}, every: %ds}
                keyed: %s
                parallelism: 2
                sinks: [{csv: {path: "%s", anew: true}}]
                """.formatted(kafka.bootstrap(), topic, toEnd, WINDOW, keyed, directory.resolve("out.csv")),
                        topic));
    }

    /** Counts of the last run by window, from a window on. */
    private Map<Integer, Integer> results(int from) throws Exception {
        Map<Integer, Integer> results = new TreeMap<>();
        List<String> lines = Files.readAllLines(directory.resolve("out.csv"));
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",");
            int window = (int) ((Instant.parse(cells[0]).toEpochMilli() - BEGIN) / 1_000 / WINDOW);
            if (window >= from) {
                results.merge(window, Integer.parseInt(cells[cells.length - 1]), Integer::sum);
            }
        }
        return results;
    }
}
