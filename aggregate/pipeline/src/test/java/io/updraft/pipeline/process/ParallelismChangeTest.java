package io.updraft.pipeline.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.servers.KafkaServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of one pipeline with three tasks, one, and five, of which the first is killed and the second one stopped. */
@Tag("one-jdk")
final class ParallelismChangeTest {

    private static final int PARTITIONS = 4;
    private static final int KEYS = 50;
    private static final int BATCH = 100;
    private static final long BEGIN = 1_357_000_000_000L;
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration POLL = Duration.ofMillis(20);

    /** Where records come from and results go. */
    private interface Ends {
        /** Sends a record. */
        void send(int partition, long time, String metric, int value) throws IOException;

        /** Ends all windows of what was sent. */
        void end() throws IOException;

        /** Looks for results. */
        void read() throws IOException;

        /** How many there are. */
        int results();

        /** Whether they are all that is expected. */
        boolean isAll();
    }

    @TempDir
    Path directory;

    private final Random random = new Random(9);
    private PipelineProcesses processes;
    private Ends ends;
    private long deadline;
    private int sent;

    @Tag("long")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldCountEachRecordOfKafkaOnce(boolean keyed) throws Exception {
        KafkaServer kafka = KafkaServer.shared();
        String name = "parallelism-" + keyed;
        kafka.createTopic(name, PARTITIONS, 1);
        kafka.createTopic(name + "-out", 2, 1);
        String source = "kafka: {bootstrap: \"%s\", topic: %s}".formatted(kafka.bootstrap(), name);
        String sink = "kafka: {bootstrap: \"%s\", topic: %s-out, exactly_once: true, format: csv}"
                .formatted(kafka.bootstrap(), name);
        try (KafkaTotals totals = new KafkaTotals()) {
            totals.readFrom(kafka, name + "-out", 2);
            run(yaml(name, source, keyed, sink), keyed, new Topics(kafka, name, totals));
            assertThat(totals.doubles()).isEmpty();
        }
    }

    @Tag("slow")
    @Test
    void shouldCountEachRecordOfFilesOnce() throws Exception {
        countFiles(false);
    }

    @Tag("long")
    @Test
    void shouldCountEachRecordOfFilesOnceWhereEachIsAggregatedOnItsOwn() throws Exception {
        countFiles(true);
    }

    private void countFiles(boolean keyed) throws Exception {
        Path in = Files.createDirectory(directory.resolve("in"));
        for (int partition = 0; partition < PARTITIONS; partition++) {
            Files.createFile(in.resolve(partition + ".json"));
        }
        String source = "file: {path: \"%s\", follow: true}".formatted(in);
        String sink = "csv: \"%s\"".formatted(directory.resolve("out.csv"));
        run(
                yaml("files", source, keyed, sink + "\nstate: \"" + directory.resolve("positions") + "\""),
                keyed,
                new FilesOf(in, directory.resolve("out.csv")));
        List<String> lines = Files.readAllLines(directory.resolve("out.csv"));
        assertThat(lines).doesNotHaveDuplicates();
        assertThat(lines.stream().skip(1).map(line -> KafkaTotals.result(line).getKey()))
                .doesNotHaveDuplicates();
    }

    private void run(String yaml, boolean keyed, Ends its) throws Exception {
        ends = its;
        deadline = System.nanoTime() + LIMIT.toNanos();
        try (PipelineProcesses started = new PipelineProcesses(directory, yaml)) {
            processes = started;
            start(3);
            until("results of three tasks", keyed, () -> ends.results() > 2 * KEYS);
            processes.kill(0);
            start(1);
            int before = ends.results();
            until("results of one task", keyed, () -> ends.results() > before + 2 * KEYS);
            java.lang.Process stopped = processes.stop(0);
            until("the end of a process", keyed, () -> !stopped.isAlive());
            assertThat(stopped.exitValue()).as(processes::logs).isZero();
            processes.forget(stopped);
            start(5);
            settle();
        }
    }

    private void start(int parallelism) throws IOException {
        processes.start(Map.of("PARALLELISM", String.valueOf(parallelism)));
    }

    private interface Until {
        boolean isReached();
    }

    private void until(String what, boolean keyed, Until until) throws IOException {
        while (!until.isReached()) {
            checkTime(what);
            for (int end = sent + BATCH; sent < end; sent++) {
                String metric = "m" + random.nextInt(KEYS);
                int partition = keyed ? KafkaTotals.partition(metric, PARTITIONS) : random.nextInt(PARTITIONS);
                ends.send(partition, BEGIN + sent * 20L - random.nextInt(1_000), metric, random.nextInt(1_000));
            }
            ends.read();
        }
    }

    private void settle() throws IOException {
        while (!ends.isAll()) {
            checkTime("all results");
            ends.end();
            ends.read();
        }
    }

    private void checkTime(String what) {
        assertThat(System.nanoTime())
                .as(() -> "deadline; no " + what + "; " + ends + processes.logs())
                .isLessThan(deadline);
    }

    private String yaml(String name, String source, boolean keyed, String sink) {
        return """
                name: %s
                source:
                  %s
                time: {field: at, disorder: 2s, idle: 1h}
                keyed: %s
                parallelism: ${PARALLELISM:1}
                sinks:
                  - %s
                %s""".formatted(name, source, keyed, sink, new KafkaTotals().query());
    }

    private record Topics(KafkaServer kafka, String topic, KafkaTotals totals) implements Ends {

        @Override
        public void send(int partition, long time, String metric, int value) {
            totals.send(kafka, topic, partition, time, metric, value);
        }

        @Override
        public void end() {
            totals.sendEnd(kafka, topic, PARTITIONS);
        }

        @Override
        public void read() {
            totals.read(POLL);
        }

        @Override
        public int results() {
            return totals.results().size();
        }

        @Override
        public boolean isAll() {
            return totals.results().equals(totals.expected());
        }

        @Override
        public String toString() {
            return totals.state();
        }
    }

    private static final class FilesOf implements Ends {

        private static final long WINDOW = 60_000;

        private final Path in;
        private final Path out;
        private final Map<String, KafkaTotals.Result> expected = new HashMap<>();
        private final Map<String, KafkaTotals.Result> results = new HashMap<>();
        private final Map<Integer, List<String>> waiting = new HashMap<>();
        private long lastTime;

        FilesOf(Path in, Path out) {
            this.in = in;
            this.out = out;
        }

        @Override
        public void send(int partition, long time, String metric, int value) {
            waiting.computeIfAbsent(partition, each -> new ArrayList<>()).add(record(time, metric, value));
            lastTime = Math.max(lastTime, time);
            expected.merge(
                    KafkaTotals.key(Math.floorDiv(time, WINDOW) * WINDOW, metric),
                    new KafkaTotals.Result(1, value),
                    KafkaTotals.Result::plus);
        }

        private static String record(long time, String metric, int value) {
            return "{\"at\":" + time + ",\"metric\":\"" + metric + "\",\"value\":" + value + "}";
        }

        @Override
        public void end() throws IOException {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                waiting.computeIfAbsent(partition, each -> new ArrayList<>())
                        .add(record(lastTime + 2 * WINDOW, "end", 0));
            }
        }

        @Override
        public void read() throws IOException {
            for (Map.Entry<Integer, List<String>> each : waiting.entrySet()) {
                Files.write(in.resolve(each.getKey() + ".json"), each.getValue(), StandardOpenOption.APPEND);
                each.getValue().clear();
            }
            LockSupport.parkNanos(POLL.toNanos());
            if (Files.exists(out)) {
                results.clear();
                String text = Files.readString(out);
                text.substring(0, text.lastIndexOf('\n') + 1)
                        .lines()
                        .skip(1)
                        .map(KafkaTotals::result)
                        .forEach(result -> results.put(result.getKey(), result.getValue()));
            }
        }

        @Override
        public int results() {
            return results.size();
        }

        @Override
        public boolean isAll() {
            return results.equals(expected);
        }

        @Override
        public String toString() {
            return results.size() + " of " + expected.size();
        }
    }
}
