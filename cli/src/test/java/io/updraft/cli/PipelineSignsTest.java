package io.updraft.cli;

import io.updraft.servers.KafkaServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows of the table in docs/operating.md that are about pipelines: each failure with its signs. */
class PipelineSignsTest {
    private static final long START = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private static final int WINDOWS = 20;

    @TempDir
    Path directory;

    @Test
    void shouldNameTheFileForWhichThereIsNoRoom() throws Exception {
        Path full = Files.createDirectory(directory.resolve("full"));
        try (ObservedRun run = ObservedRun.aggregate(
                directory, tinyDisk(full), fromFile("csv: \"" + full + "/{window_start}.csv\""))) {
            run.awaitAnswer("hosts  running", "ps");
            run.failsNow();
            append(200_000);
            run.awaitLine(
                    "full disk",
                    "Writing to .*" + full + ".* has failed for \\d+ s; retrying: cannot write " + full
                            + "/.*\\.csv: (No space left on device|File too large)");
            run.awaitAnswer("stuck: Writing .*" + full, "ps");
            run.awaitRemark("stuck", null, "Writing .*" + full);
            run.awaitFigure("updraft_pipeline_write_retries_total", value -> value > 0, "pipeline", "hosts");
        }
    }

    /** Returns a command that runs another one with a disk of 2 MiB or, where none can be mounted, with small files only. */
    private static List<String> tinyDisk(Path folder) throws Exception {
        boolean mounts = new ProcessBuilder("unshare", "-rm", "mount", "-t", "tmpfs", "none", folder.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
        return mounts
                ? List.of(
                        "unshare",
                        "-rm",
                        "bash",
                        "-c",
                        "mount -t tmpfs -o size=2m none \"$0\" && exec \"$@\"",
                        folder.toString())
                : List.of("bash", "-c", "ulimit -f 2048; exec \"$@\"", "limited");
    }

    @Test
    @Tag("slow")
    void shouldNameASinkThatDoesNotAnswer() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String server = "redis://127.0.0.1:" + silent.getLocalPort();
            append(10);
            try (ObservedRun run = ObservedRun.aggregate(
                    directory,
                    List.of(),
                    fromFile("redis: {server: \"" + server + "\", key: \"{k}:{window_start}\"}"))) {
                run.awaitAnswer("hosts  running", "ps");
                run.failsNow();
                run.awaitLine("slow sink", "Opening Redis at " + server);
                run.awaitAnswer("stuck: Opening Redis at " + server, "ps");
                run.awaitRemark("stuck", null, "Opening Redis at " + server);
                run.awaitConsole("condition=stuck");
                run.awaitFigure("updraft_pipeline_troubles", value -> value > 0, "pipeline", "hosts");
            }
        }
    }

    @Test
    void shouldLeaveARecordOfAPipelineThatHasFailed() throws Exception {
        String yaml = fromFile("csv: \"" + directory + "/{window_start}.csv\"")
                .replace("every: 1s}", "every: 1s, limits: {groups: 10}}");
        try (ObservedRun run = ObservedRun.aggregate(directory, List.of(), yaml)) {
            run.awaitAnswer("hosts  running", "ps");
            append(1_000);
            run.awaitAnswer("aggregate of hosts \\(pid \\d+\\): there are \\d+ groups", "deaths");
        }
    }

    private String fromFile(String sink) throws Exception {
        Path data = directory.resolve("data.csv");
        if (!Files.exists(data)) {
            Files.writeString(data, "t,k,v\n");
        }
        return """
                name: hosts
                source: {file: %s, follow: true}
                flatten: {fields: {t: {type: time, format: millis}, k: text, v: long}}
                aggregate: {group_by: k, measures: {n: count(), s: sum(v)}, every: 1s}
                sinks: [{%s}]
                time: {field: t, idle: 1s}
                parallelism: 1
                state: %s
                """.formatted(data, sink, directory.resolve("positions"));
    }

    private void append(int keys) throws Exception {
        StringBuilder lines = new StringBuilder("t,k,v\n");
        for (int i = 0; i < keys; i++) {
            lines.append(START + (long) i * WINDOWS * 1_000 / keys)
                    .append(",key-")
                    .append(i)
                    .append(",1\n");
        }
        Files.writeString(directory.resolve("data.csv"), lines);
    }

    @Test
    @Tag("long")
    void shouldNameAPartitionThatHoldsWindowsOpenAndThenABrokerThatIsAway() throws Exception {
        try (KafkaServer kafka = KafkaServer.start();
                ObservedRun run = ObservedRun.aggregate(directory, List.of(), fromKafka(kafka))) {
            run.awaitAnswer("hosts  running", "ps");
            try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                    Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrap()),
                    new ByteArraySerializer(),
                    new ByteArraySerializer())) {
                send(producer, 1, 0);
                for (int second = 0; second < WINDOWS; second++) {
                    send(producer, 0, second);
                }
            }
            run.failsNow();
            run.awaitLine(
                    "lagging partition",
                    "hosts-in-0 position \\d+ has not been written for \\d+ s: .* held open by hosts-in-1, whose latest"
                            + " time is 2026-01-01T00:00:00Z");
            run.awaitFigure("updraft_pipeline_alarms_total", value -> value > 0, "pipeline", "hosts");
            String lag =
                    "lag: hosts-in-1 0 records behind, its time 19 s behind the others; holds open the window that ends"
                            + " at 2026-01-01T00:00:01Z";
            run.awaitAnswer(lag, "ps");
            run.awaitAnswer(lag, "top", "--once");
            run.awaitRemark("lag", null, "hosts-in-1 0 records behind, its time 19 s behind the others");
            run.awaitFigure(
                    "updraft_pipeline_partition_time_lag_seconds",
                    value -> value == WINDOWS - 1,
                    "pipeline",
                    "hosts",
                    "partition",
                    "hosts-in-1");
            kafka.broker(1).kill();
            run.failsNow();
            run.awaitLine("Kafka away", "^updraft: Kafka at " + kafka.bootstrap() + " does not answer: ");
            run.awaitAnswer("stuck: Kafka at " + kafka.bootstrap() + " has not answered for \\d+ s: ", "ps");
            run.awaitAnswer("stuck: Kafka at " + kafka.bootstrap(), "top", "--once");
            run.awaitRemark("stuck", null, "Kafka at " + kafka.bootstrap());
            run.awaitFigure("updraft_pipeline_troubles", value -> value > 0, "pipeline", "hosts");
        }
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, int partition, int second) throws Exception {
        String record = (START + second * 1_000) + ",a,1";
        producer.send(new ProducerRecord<>("hosts-in", partition, null, record.getBytes(StandardCharsets.UTF_8)))
                .get();
    }

    private String fromKafka(KafkaServer kafka) throws Exception {
        kafka.createTopic("hosts-in", 2, 1);
        return """
                name: hosts
                source: {kafka: {bootstrap: "%s", topic: hosts-in}}
                format: {type: csv, names: [t, k, v]}
                flatten: {fields: {t: {type: time, format: millis}, k: text, v: long}}
                aggregate: {group_by: k, measures: {n: count(), s: sum(v)}, every: 1s}
                sinks: [{csv: "%s/{window_start}.csv"}]
                time: {field: t, idle: 1h}
                alarm: 2s
                """.formatted(kafka.bootstrap(), directory.resolve("out"));
    }
}
