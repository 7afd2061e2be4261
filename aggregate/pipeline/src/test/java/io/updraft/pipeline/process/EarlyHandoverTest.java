package io.updraft.pipeline.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.servers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Early results while partitions move to another process, and their former owner is suspended. */
@Tag("long")
final class EarlyHandoverTest {

    private static final int PARTITIONS = 4;
    private static final int OUT = 2;
    private static final int KEYS = 40;
    private static final long BEGIN = 1_357_000_000_000L;
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final String END = "end";

    /** A row of a result, and which process has written it. */
    private record Row(String key, String metric, KafkaTotals.Result result, int process) {}

    private interface Until {
        boolean isReached() throws Exception;
    }

    @TempDir
    Path directory;

    private final KafkaServer kafka = KafkaServer.shared();
    private final KafkaTotals totals = new KafkaTotals();
    private final Random random = new Random(5);
    private final List<Row> rows = new ArrayList<>();
    private final List<Row> ends = new ArrayList<>();
    private PipelineProcesses processes;
    private KafkaConsumer<byte[], byte[]> consumer;
    private long deadline;
    private int sent;

    @Test
    void shouldWriteNoResultOfWhatAnotherProcessHas() throws Exception {
        kafka.createTopic("early-in", PARTITIONS, 1);
        kafka.createTopic("early-out", OUT, 1);
        deadline = System.nanoTime() + LIMIT.toNanos();
        try (PipelineProcesses its = new PipelineProcesses(directory, yaml());
                totals;
                KafkaConsumer<byte[], byte[]> reads = consumer()) {
            processes = its;
            consumer = reads;
            run();
        }
    }

    private void run() throws Exception {
        java.lang.Process first = processes.start(Map.of("PROCESS", "1"));
        until("results of the first", this::send, () -> metrics(1, 0) == KEYS);
        processes.start(Map.of("PROCESS", "2"));
        until("results of the second", this::send, () -> metrics(2, 0) > 0);
        int shared = rows.size();
        until(
                "results of both",
                this::send,
                () -> metrics(1, shared) > 0 && metrics(1, shared) + metrics(2, shared) == KEYS);
        signal(first, "STOP");
        int stopped = rows.size();
        until("all with the second", this::send, () -> metrics(2, stopped) == KEYS);
        until("all final results", this::end, () -> last().equals(totals.expected()));
        int over = rows.size();
        int endsOver = ends.size();
        assertThat(rows.size())
                .as("early ones too")
                .isGreaterThan(totals.expected().size());
        signal(first, "CONT");
        until("the first again", this::end, () -> ends.stream().skip(endsOver).anyMatch(row -> row.process == 1));
        assertThat(rows).as(processes::logs).hasSize(over);
        assertThat(rows.subList(stopped, over).stream().filter(row -> row.process == 1))
                .as("what was under way when it was stopped")
                .hasSizeLessThanOrEqualTo(KEYS);
        assertThat(metrics()).allSatisfy(this::assertHandedOverOnce);
    }

    /** The first has it, or the first and then the second. */
    private void assertHandedOverOnce(String metric) {
        List<Integer> writers = rows.stream()
                .filter(row -> row.metric.equals(metric))
                .map(Row::process)
                .toList();
        assertThat(writers).as(metric).isSorted();
    }

    private Set<String> metrics() {
        return rows.stream().map(Row::metric).collect(Collectors.toSet());
    }

    private long metrics(int process, int since) {
        return rows.stream()
                .skip(since)
                .filter(row -> row.process == process)
                .map(Row::metric)
                .distinct()
                .count();
    }

    /** What each reader takes for the result in the end. */
    private Map<String, KafkaTotals.Result> last() {
        Map<String, KafkaTotals.Result> last = new HashMap<>();
        rows.forEach(row -> last.put(row.key, row.result));
        return last;
    }

    private void send() {
        for (int i = 0; i < 20; i++) {
            String metric = "m" + random.nextInt(KEYS);
            int partition = KafkaTotals.partition(metric, PARTITIONS);
            totals.send(kafka, "early-in", partition, BEGIN + sent++ * 20L, metric, random.nextInt(1_000));
        }
    }

    private void end() {
        totals.sendEnd(kafka, "early-in", PARTITIONS);
    }

    private void until(String what, Runnable meanwhile, Until until) throws Exception {
        while (!until.isReached()) {
            assertThat(System.nanoTime())
                    .as(() -> "deadline; no " + what + processes.logs())
                    .isLessThan(deadline);
            meanwhile.run();
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                take(new String(record.value(), StandardCharsets.UTF_8));
            }
        }
    }

    private void take(String line) {
        String[] fields = line.split(",");
        String key = KafkaTotals.key(Instant.parse(fields[0]).toEpochMilli(), fields[2]);
        KafkaTotals.Result result = new KafkaTotals.Result(Long.parseLong(fields[3]), Long.parseLong(fields[4]));
        (fields[2].equals(END) ? ends : rows).add(new Row(key, fields[2], result, Integer.parseInt(fields[5])));
    }

    private static void signal(java.lang.Process process, String name) throws Exception {
        java.lang.Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
        assertThat(kill.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }

    private KafkaConsumer<byte[], byte[]> consumer() {
        KafkaConsumer<byte[], byte[]> made = kafka.consumer("isolation.level", "read_committed");
        List<TopicPartition> all = IntStream.range(0, OUT)
                .mapToObj(partition -> new TopicPartition("early-out", partition))
                .toList();
        made.assign(all);
        made.seekToBeginning(all);
        return made;
    }

    private String yaml() {
        return """
                name: early
                source:
                  kafka: {bootstrap: "%1$s", topic: early-in}
                format: json
                flatten:
                  fields:
                    at: {type: time, format: millis}
                    metric: text
                    value: long
                  derive: {process: "${PROCESS:0}"}
                time: {field: at, disorder: 2s, idle: 1h}
                aggregate:
                  group_by: [metric]
                  measures: {n: count(), total: sum(value), process: max(process)}
                  every: 1m
                  early: 500ms
                keyed: true
                parallelism: 2
                sinks:
                  - kafka: {bootstrap: "%1$s", topic: early-out, exactly_once: true, format: csv}
                """.formatted(kafka.bootstrap());
    }
}
