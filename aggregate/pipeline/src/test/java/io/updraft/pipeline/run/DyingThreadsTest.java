package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.record.Chunk;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RowHandler;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads of a run that die of errors other than exceptions: each record must still be in exactly one result. */
final class DyingThreadsTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final long BEGIN = Instant.parse("2024-05-01T10:00:00Z").toEpochMilli();
    private static final int PARTITIONS = 2;
    private static final int RECORDS = 2_000;

    /** Records of a window. */
    private static final int WINDOW = 100;

    /** Readers die of their third answer each time, as often as a test says; of each answer where that is for ever. */
    public static final class Failing implements ConsumerInterceptor<ByteBuffer, ByteBuffer> {

        static final AtomicInteger FAILURES = new AtomicInteger();
        private int answers;

        @Override
        public ConsumerRecords<ByteBuffer, ByteBuffer> onConsume(ConsumerRecords<ByteBuffer, ByteBuffer> records) {
            if (records.isEmpty() || ++answers < (FAILURES.get() > 1_000 ? 1 : 3) || FAILURES.get() == 0) {
                return records;
            }
            if (FAILURES.getAndDecrement() % 2 == 0) {
                throw new NoSuchMethodError("made up");
            }
            throw new StackOverflowError();
        }

        @Override
        public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

        @Override
        public void configure(Map<String, ?> settings) {}

        @Override
        public void close() {}
    }

    @TempDir
    Path directory;

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldGoOnWhereReadersHaveDied(boolean keyed) throws Exception {
        String topic = "dying-" + keyed;
        try (ShortRuns runs = new ShortRuns()) {
            fill(runs, topic);
            Failing.FAILURES.set(4);
            PipelineProgress progress = ShortRuns.toEnd(topic, yaml(kafka(runs, topic), keyed, ""));
            assertThat(Failing.FAILURES).hasValue(0);
            assertThat(progress.records()).isEqualTo(RECORDS * PARTITIONS);
            assertThat(progress.late()).isZero();
            assertEachCounted(PARTITIONS);
        } finally {
            Failing.FAILURES.set(0);
        }
    }

    @Tag("slow")
    @Test
    void shouldEndWithOneLineWhereReadersDieForTooLongAndGoOnInTheNextRun() throws Exception {
        try (ShortRuns runs = new ShortRuns()) {
            fill(runs, "dead");
            String yaml = yaml(kafka(runs, "dead"), true, "give_up: 1s");
            Failing.FAILURES.set(Integer.MAX_VALUE);
            assertThat(failure(Pipelines.start(ShortRuns.spec("dead", yaml))))
                    .startsWith("dead-")
                    .contains("cannot be read from broker 1: java.lang.", "the limit 'give_up' is reached")
                    .doesNotContain("\n");
            Failing.FAILURES.set(0);
            assertThat(ShortRuns.toEnd("dead", yaml).late()).isZero();
            assertEachCounted(PARTITIONS);
        } finally {
            Failing.FAILURES.set(0);
        }
    }

    /** A decoder dies in the middle of the input, once in each of two runs. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldEndWithOneLineWhereADecoderDiesAndGoOnInTheNextRun(int parallelism) throws Exception {
        Path in = Files.write(
                directory.resolve("in.csv"),
                IntStream.range(0, 100 * RECORDS)
                        .mapToObj(i -> record(i, 100 * RECORDS))
                        .toList());
        String yaml = yaml(
                "file: {path: \"%s\", resume: true}".formatted(in),
                false,
                "parallelism: %d\nstate: \"%s\"".formatted(parallelism, directory.resolve("positions")));
        PipelineSpec spec = ShortRuns.spec("decoder", yaml);
        for (int run = 0; run < 2; run++) {
            AtomicInteger chunks = new AtomicInteger(5);
            String failure = failure(RunningPipeline.start(
                    with(
                            Pipelines.plan(spec, null, new RejectedRecordSinks(null, null)),
                            () -> new Dying(spec, chunks)),
                    () -> {}));
            assertThat(failure).contains("in.csv", "StackOverflowError").doesNotContain("\n");
        }
        ShortRuns.toEnd("decoder", yaml);
        assertEachCounted(1);
    }

    private static String failure(RunningPipeline started) throws Exception {
        try (RunningPipeline running = started) {
            assertThat(running.awaitEnd(LIMIT)).as("ended").isTrue();
            return running.failure();
        }
    }

    private static RunPlan with(RunPlan.Aggregation plan, Supplier<Decoder> decoders) {
        RunPlan.Settings settings = plan.settings();
        return new RunPlan.Aggregation(
                new RunPlan.Settings(
                        settings.name(),
                        settings.source(),
                        decoders,
                        settings.keyed(),
                        settings.track(),
                        settings.parallelism(),
                        settings.alarm(),
                        settings.giveUp(),
                        settings.rejected(),
                        settings.unusable()),
                plan.query(),
                plan.selection(),
                plan.unique(),
                plan.limits(),
                plan.time(),
                plan.early(),
                plan.flush(),
                plan.sinks());
    }

    /** Dies in the middle of a chunk, when so many were decoded. */
    private static final class Dying implements Decoder {

        private final Decoder real;
        private final AtomicInteger chunks;

        private Dying(PipelineSpec spec, AtomicInteger chunks) {
            this.real = Decoder.create(spec.decode());
            this.chunks = chunks;
        }

        @Override
        public int decode(Chunk chunk, RowHandler rows) {
            int decoded = real.decode(chunk, rows);
            if (chunks.decrementAndGet() == 0) {
                throw new StackOverflowError();
            }
            return decoded;
        }

        @Override
        public int recordFrom() {
            return real.recordFrom();
        }

        @Override
        public int recordLength() {
            return real.recordLength();
        }
    }

    private static void fill(ShortRuns runs, String topic) throws Exception {
        runs.kafka.createTopic(topic, PARTITIONS, 1);
        for (int partition = 0; partition < PARTITIONS; partition++) {
            runs.send(
                    topic,
                    partition,
                    IntStream.range(0, RECORDS)
                            .mapToObj(i -> record(i, RECORDS))
                            .toArray(String[]::new));
        }
    }

    /** They lie in 20 windows. */
    private static String record(int i, int all) {
        return (BEGIN + i * 20L * WINDOW / all * 100L) + ",1";
    }

    private static String kafka(ShortRuns runs, String topic) {
        return ("kafka: {bootstrap: \"%s\", topic: %s, to_end: true,"
                        + " properties: {interceptor.classes: %s, max.poll.records: 50}}")
                .formatted(runs.kafka.bootstrap(), topic, Failing.class.getName());
    }

    private String yaml(String source, boolean keyed, String more) {
        return """
                source:
                  %s
                format: {type: csv, names: [at, n]}
                flatten: {fields: {at: {type: time, format: millis}, n: long}}
                time: {field: at, idle: 1h}
                aggregate: {measures: {n: sum(n)}, every: 10s}
                keyed: %s
                sinks: [{csv: "%s"}]
                %s
                """.formatted(source, keyed, directory.resolve("out.csv"), more);
    }

    /** A window may have a row of each of several parts. */
    private void assertEachCounted(int parts) throws Exception {
        List<String> lines = Files.readAllLines(directory.resolve("out.csv"));
        int records = parts == 1 ? 100 * RECORDS : parts * RECORDS;
        assertThat(lines.stream().skip(1).mapToInt(line -> Integer.parseInt(line.split(",")[2])))
                .satisfies(counts ->
                        assertThat(counts.stream().mapToInt(n -> n).sum()).isEqualTo(records));
        assertThat(lines.stream().skip(1).map(line -> line.split(",")[0]).distinct())
                .hasSize(20);
    }
}
