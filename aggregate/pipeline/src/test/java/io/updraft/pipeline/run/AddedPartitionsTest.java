package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.observe.pipeline.PipelineProgress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Partitions that are added to a topic while it is read. */
@Tag("one-jdk")
final class AddedPartitionsTest {

    private static final long BEGIN = Instant.parse("2024-05-01T10:00:00Z").toEpochMilli();
    private static final String SOON = "metadata.max.age.ms: 300";

    @TempDir
    Path directory;

    @AutoClose
    private static ShortRuns runs;

    @BeforeAll
    static void start() {
        runs = new ShortRuns();
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReadThemFromTheirBeginningsInARunWithoutAnEnd(boolean keyed) throws Exception {
        readWithoutEnd("added-" + keyed, keyed, SOON);
    }

    /** With the settings as shipped. */
    @Tag("long")
    @Test
    void shouldReadThemWithinAboutHalfAMinute() throws Exception {
        long begin = System.nanoTime();
        readWithoutEnd("added-later", true, "");
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(60));
    }

    private void readWithoutEnd(String topic, boolean keyed, String properties) throws Exception {
        runs.kafka.createTopic(topic, 1, 1);
        runs.send(topic, 0, records(0, 10, 21));
        String yaml = yaml(topic, keyed, false, properties);
        try (RunningPipeline running = ShortRuns.start(topic, yaml)) {
            ShortRuns.await(running, progress -> progress.windows() == 2);
            add(topic, 3);
            runs.send(topic, 2, records(22, 30, 41));
            ShortRuns.await(running, progress -> progress.records() == 6);
            assertThat(running.progress().late()).isZero();
        }
        runs.send(topic, 0, records(50));
        runs.send(topic, 1, records(50));
        runs.send(topic, 2, records(50));
        PipelineProgress rest = ShortRuns.toEnd(topic, yaml(topic, keyed, true, properties));
        assertThat(rest.late()).isZero();
        assertThat(seconds()).containsOnly(0, 10, 20, 30, 40, 50);
        assertThat(total()).isEqualTo(9);
    }

    /** They make a partition together with a partition of the other topic, which is read already. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReadThoseOfTheSmallerOfTwoTopics(boolean keyed) throws Exception {
        String large = "large-" + keyed;
        String small = "small-" + keyed;
        runs.kafka.createTopic(large, 2, 1);
        runs.kafka.createTopic(small, 1, 1);
        runs.send(large, 1, records(0));
        String topics = "[" + large + ", " + small + "]";
        try (RunningPipeline running = ShortRuns.start(large, yaml(topics, keyed, false, SOON))) {
            ShortRuns.await(running, progress -> progress.records() == 1);
            add(small, 2);
            runs.send(small, 1, records(1));
            // The first one is in a window that is open, and read again with the partition.
            ShortRuns.await(running, progress -> progress.records() == 3);
        }
    }

    /** The run waits at its end until a transaction is over; partitions are added meanwhile. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLeaveThemToTheNextRunWhereARunEndsAtWhatWasTheNewest(boolean keyed) throws Exception {
        String topic = "ending-" + keyed;
        runs.kafka.createTopic(topic, 1, 1);
        runs.send(topic, 0, records(0, 10));
        try (KafkaProducer<byte[], byte[]> open = transactional(topic)) {
            open.initTransactions();
            open.beginTransaction();
            open.send(new ProducerRecord<>(topic, 0, null, records(20)[0].getBytes(StandardCharsets.UTF_8)))
                    .get();
            try (RunningPipeline running = ShortRuns.start(topic, yaml(topic, keyed, true, SOON))) {
                ShortRuns.await(running, progress -> progress.records() == 2);
                add(topic, 2);
                runs.send(topic, 1, records(30, 40));
                ShortRuns.await(running, progress -> isShared(topic, 2));
                open.commitTransaction();
                assertThat(running.awaitEnd(Duration.ofSeconds(60))).isTrue();
                assertThat(running.failure()).isNull();
                assertThat(running.progress().records()).isEqualTo(3);
            }
        }
        assertThat(seconds()).containsExactly(0, 10, 20);
        assertThat(ShortRuns.toEnd(topic, yaml(topic, keyed, true, SOON)).late())
                .isZero();
        assertThat(seconds()).containsExactly(0, 10, 20, 30, 40);
        assertThat(total()).isEqualTo(5);
    }

    private static boolean isShared(String group, int partitions) {
        try {
            return runs.assigned(group)
                    .equals(IntStream.range(0, partitions).boxed().toList());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static KafkaProducer<byte[], byte[]> transactional(String id) {
        return runs.kafka.producer("transactional.id", id);
    }

    private static void add(String topic, int partitions) throws Exception {
        runs.kafka
                .admin()
                .createPartitions(Map.of(topic, NewPartitions.increaseTo(partitions)))
                .all()
                .get();
    }

    private static String[] records(int... seconds) {
        return IntStream.of(seconds)
                .mapToObj(second -> (BEGIN + second * 1_000L) + ",p")
                .toArray(String[]::new);
    }

    private List<String> lines() throws Exception {
        List<String> lines = Files.readAllLines(directory.resolve("out.csv"));
        return lines.subList(1, lines.size());
    }

    /** The seconds at which windows begin, in the order of the results. */
    private List<Integer> seconds() throws Exception {
        return lines().stream()
                .map(line -> Instant.parse(line.split(",")[0]).toEpochMilli())
                .map(begin -> (int) ((begin - BEGIN) / 1_000))
                .toList();
    }

    private int total() throws Exception {
        return lines().stream()
                .mapToInt(line -> Integer.parseInt(line.split(",")[3]))
                .sum();
    }

    private String yaml(String topic, boolean keyed, boolean toEnd, String properties) {
        return """
                source:
                  kafka: {bootstrap: "%s", topic: %s, to_end: %s, properties: {%s}}
                format: {type: csv, names: [at, p]}
                flatten: {fields: {at: {type: time, format: millis}, p: text}}
                time: {field: at, idle: 500ms}
                aggregate: {group_by: p, measures: {n: count()}, every: 10s}
                keyed: %s
                parallelism: 2
                sinks: [{csv: "%s"}]
                """.formatted(runs.kafka.bootstrap(), topic, toEnd, properties, keyed, directory.resolve("out.csv"));
    }
}
