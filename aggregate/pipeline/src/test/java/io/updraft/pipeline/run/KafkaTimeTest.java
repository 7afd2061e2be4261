package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of long ago in Kafka: over pauses, and over runs that end and begin again under one name. */
@Tag("long")
final class KafkaTimeTest {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final long BEGIN = 1_357_000_000_000L;
    private static final int PARTITIONS = 2;

    @TempDir
    Path directory;

    private static KafkaServer kafka;
    private static KafkaProducer<byte[], byte[]> producer;

    @BeforeAll
    static void start() {
        kafka = KafkaServer.shared();
        producer = kafka.producer();
    }

    @AfterAll
    static void stop() {
        if (producer != null) {
            producer.close(Duration.ZERO);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldOpenLaterWindowsInTheNextRunAndCallRowsOfWrittenOnesLate(boolean keyed) throws Exception {
        String topic = "again-" + keyed;
        kafka.createTopic(topic, PARTITIONS, 1);
        send(topic, 0, 4);
        assertThat(toEnd(topic, keyed).late()).isZero();
        assertThat(windows()).containsExactly(0, 4);

        send(topic, 1, 3, 7);
        assertThat(toEnd(topic, keyed).late()).isEqualTo(2 * PARTITIONS);
        assertThat(windows()).containsExactly(6);

        send(topic, 2, 9, 20);
        try (RunningPipeline running = start(topic, keyed, false)) {
            ShortRuns.await(running, LIMIT, progress -> progress.windows() == (keyed ? PARTITIONS : 1));
            assertThat(running.progress().late()).isEqualTo(PARTITIONS);
        }
        assertThat(windows()).containsExactly(8);
        assertThat(toEnd(topic, keyed).late()).isZero();
        assertThat(windows()).containsExactly(20);
    }

    /** However often a partition is idle, time is no later than that of its records. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotCallRecordsLateThatComeAfterAPause(boolean keyed) throws Exception {
        String topic = "pause-" + keyed;
        kafka.createTopic(topic, PARTITIONS, 1);
        send(topic, 0, 4);
        try (RunningPipeline running = start(topic, keyed, false)) {
            ShortRuns.await(running, LIMIT, progress -> progress.windows() == (keyed ? PARTITIONS : 1));
            long until = System.nanoTime() + Duration.ofSeconds(2).toNanos();
            ShortRuns.await(running, LIMIT, progress -> System.nanoTime() > until);
            assertThat(running.progress().openWindows()).as("the last one").isPositive();
            send(topic, 5, 9);
            ShortRuns.await(running, LIMIT, progress -> progress.records() == 4 * PARTITIONS);
            assertThat(running.progress().late()).isZero();
        }
    }

    private static void send(String topic, int... seconds) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (int second : seconds) {
                String value = (BEGIN + second * 1_000L) + ",p" + partition;
                producer.send(new ProducerRecord<>(topic, partition, null, value.getBytes(StandardCharsets.UTF_8)));
            }
        }
        producer.flush();
    }

    private PipelineProgress toEnd(String topic, boolean keyed) throws Exception {
        return ShortRuns.toEnd(start(topic, keyed, true), LIMIT);
    }

    private RunningPipeline start(String topic, boolean keyed, boolean toEnd) throws Exception {
        return Pipelines.start(new SpecReader(Map.of())
                .read(
                        "test.yaml",
                        """
                source: {kafka: {bootstrap: "%s", topic: %s, to_end: %s}}
                format: {type: csv, names: [at, p]}
                flatten: {fields: {at: {type: time, format: millis}, p: text}}
                time: {field: at, idle: 300ms}
                aggregate: {group_by: p, measures: {n: count()}, every: 2s}
                keyed: %s
                parallelism: 2
                sinks: [{csv: {path: "%s", anew: true}}]
                """.formatted(kafka.bootstrap(), topic, toEnd, keyed, directory.resolve("out.csv")),
                        topic));
    }

    /** The seconds at which the windows in the last run's results begin. */
    private Set<Integer> windows() throws Exception {
        Set<Integer> windows = new TreeSet<>();
        List<String> lines = Files.readAllLines(directory.resolve("out.csv"));
        for (String line : lines.subList(1, lines.size())) {
            long begin = Instant.parse(line.substring(0, line.indexOf(','))).toEpochMilli();
            windows.add((int) ((begin - BEGIN) / 1_000));
        }
        return windows;
    }
}
