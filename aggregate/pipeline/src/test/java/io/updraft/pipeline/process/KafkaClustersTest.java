package io.updraft.pipeline.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.engine.testing.CapturedWarnings;
import io.updraft.kafka.reader.OutageLog;
import io.updraft.pipeline.run.Pipelines;
import io.updraft.pipeline.run.RunningPipeline;
import io.updraft.pipeline.spec.SpecReader;
import io.updraft.servers.KafkaServer;
import io.updraft.servers.PostgresServer;
import io.updraft.servers.ZooKeeperServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka sources whose brokers are away for a while, and sinks on other clusters. Two clusters of one broker each. */
@Tag("long")
final class KafkaClustersTest {

    private static final int PARTITIONS = 4;
    private static final int KEYS = 50;

    /** Long ago, in windows that only the end of the input closes. */
    private static final long BEGIN = 1_357_000_000_000L;

    private static final Duration LIMIT = Duration.ofMinutes(8);
    private static final Duration POLL = Duration.ofMillis(50);
    private static final Duration TICK = Duration.ofMillis(100);

    @TempDir
    Path directory;

    private final Random random = new Random(5);

    private static KafkaServer one;
    private static KafkaServer other;

    @BeforeAll
    static void start() {
        one = KafkaServer.start();
        // It begins again the sooner after it was killed.
        other = KafkaServer.builder()
                .config("broker.session.timeout.ms", "4000")
                .start();
    }

    @AfterAll
    static void stop() {
        if (one != null) {
            one.close();
        }
        if (other != null) {
            other.close();
        }
    }

    /**
     * The records of a key are in partitions of the same index, in any cluster. While one cluster is unavailable, the results
     * of the other go on. Records written just before the outage are counted afterwards, in windows that were written already.
     */
    @Test
    void shouldAddUpTheRecordsOfTwoClustersAlsoWhenOneIsAwayForAWhile() throws Exception {
        for (KafkaServer cluster : new KafkaServer[] {one, other}) {
            cluster.createTopic("spanning", PARTITIONS, 1);
        }
        one.createTopic("spanned", 1, 1);
        try (ZooKeeperServer zooKeeper = ZooKeeperServer.start();
                KafkaTotals totals = new KafkaTotals(Duration.ofSeconds(1))) {
            totals.readFrom(one, "spanned", 1);
            String yaml = """
                    name: spanning
                    source:
                      kafka: {bootstrap: ["%s", "%s"], topic: spanning, zookeeper: "%s"}
                    time: {field: at, disorder: 500ms, idle: 1s}
                    keyed: true
                    parallelism: 2
                    sinks:
                      - kafka: {bootstrap: "%s", topic: spanned, format: csv}
                    %s  lateness: 10m
                    """.formatted(
                            one.bootstrap(), other.bootstrap(), zooKeeper.address(), one.bootstrap(), totals.query());
            try (RunningPipeline running = run(yaml)) {
                send(totals, 2_000, "both", one, other);
                await(running, totals, () -> totals.results().equals(totals.expected()));
                other.broker(1).kill();
                send(totals, 1_000, "during", one);
                await(running, totals, () -> has(totals, "during"));
                other.broker(1).start();
                send(totals, 1_000, "after", one, other);
                await(running, totals, () -> totals.results().equals(totals.expected()));
                // It goes away with records that nobody may have read.
                send(totals, 1_000, "unread", other);
                other.broker(1).kill();
                send(totals, 1_000, "during again", one);
                other.broker(1).start();
                await(running, totals, () -> totals.results().equals(totals.expected()));
                assertThat(running.progress().late()).isZero();
                assertThat(running.progress().rejected()).isZero();
            }
        }
    }

    private static boolean has(KafkaTotals totals, String metric) {
        return totals.expected().keySet().stream()
                .filter(key -> key.contains(metric))
                .allMatch(key ->
                        totals.expected().get(key).equals(totals.results().get(key)));
    }

    private void send(KafkaTotals totals, int records, String metric, KafkaServer... clusters) {
        for (int i = 0; i < records; i++) {
            String name = metric + "-" + random.nextInt(KEYS);
            totals.send(
                    clusters[random.nextInt(clusters.length)],
                    "spanning",
                    KafkaTotals.partition(name, PARTITIONS),
                    System.currentTimeMillis(),
                    name,
                    random.nextInt(1_000));
        }
        totals.flush();
    }

    @Test
    void shouldWaitForAClusterThatIsAwayAndSaySo() throws Exception {
        other.createTopic("awaited", PARTITIONS, 1);
        Path out = directory.resolve("out.csv");
        try (KafkaTotals totals = new KafkaTotals();
                CapturedWarnings warnings = new CapturedWarnings(OutageLog.class)) {
            fill(totals, other, "awaited", 1_000);
            other.broker(1).kill();
            try (RunningPipeline running = run(toEnd(
                    other.bootstrap(),
                    "awaited",
                    ", properties: {default.api.timeout.ms: 3000, request.timeout.ms: 3000}",
                    "csv: \"" + out + "\"",
                    totals))) {
                await(running, () -> !warnings.lines().isEmpty());
                assertThat(warnings.lines().get(0))
                        .startsWith("Kafka at " + other.bootstrap() + " does not answer: ")
                        .endsWith("; retrying until it answers");
                other.broker(1).start();
                assertThat(running.awaitEnd(LIMIT)).isTrue();
                assertThat(running.failure()).isNull();
                assertThat(running.progress().records()).isEqualTo(1_000);
                assertThat(running.progress().groups())
                        .isEqualTo(totals.expected().size());
            }
            assertThat(warnings.lines()).anyMatch(line -> line.matches("Kafka at .* answers again, after \\d+ s"));
        }
    }

    @Test
    void shouldEndWithOneLineWhereWaitingDoesNotHelpOrWasLimited() throws Exception {
        KafkaTotals totals = new KafkaTotals();
        try (RunningPipeline running = run(toEnd(one.bootstrap(), "no-such-topic", "", "stdout: table", totals))) {
            assertThat(running.awaitEnd(LIMIT)).isTrue();
            assertThat(running.failure())
                    .startsWith("topics [no-such-topic] of Kafka at " + one.bootstrap() + " cannot be read: ")
                    .doesNotContain("\n");
        }
        String away = toEnd("127.0.0.1:1", "any", "", "stdout: table", totals);
        try (RunningPipeline running = run("give_up: 500ms\n" + away)) {
            assertThat(running.awaitEnd(LIMIT)).isTrue();
            assertThat(running.failure())
                    .startsWith("topics [any] of Kafka at 127.0.0.1:1 cannot be read within 'give_up': ")
                    .doesNotContain("\n");
        }
    }

    /** The last offsets are of no record, and no batch comes that ends there. Nothing waits until a partition counts as idle. */
    @Test
    void shouldEndWhereATopicEndsWithTheMarkerOfATransaction() throws Exception {
        one.createTopic("marked", 1, 1);
        try (KafkaTotals totals = new KafkaTotals();
                KafkaProducer<byte[], byte[]> producer = one.producer("transactional.id", "marking")) {
            producer.initTransactions();
            for (int transaction = 0; transaction < 3; transaction++) {
                producer.beginTransaction();
                producer.send(
                        new ProducerRecord<>("marked", "{\"at\":0,\"metric\":\"m\",\"value\":1}".getBytes(UTF_8)));
                producer.commitTransaction();
            }
            try (RunningPipeline running = run(toEnd(one.bootstrap(), "marked", "", "stdout: table", totals))) {
                assertThat(running.awaitEnd(LIMIT)).isTrue();
                assertThat(running.progress().records()).isEqualTo(3);
            }
        }
    }

    /** Each result is written over itself: totals are equal however often a window was written. */
    @Test
    void shouldLeaveTheTotalsOfKafkasRecordsInPostgresHoweverProcessesDie() throws Exception {
        Assumptions.assumeTrue(PostgresServer.isInstalled(), PostgresServer.missing());
        one.createTopic("rows", PARTITIONS, 1);
        try (PostgresServer postgres = PostgresServer.start();
                KafkaTotals totals = new KafkaTotals()) {
            String yaml = """
                    name: rows
                    source:
                      kafka: {bootstrap: "%s", topic: rows, session: 2s}
                    time: {field: at, disorder: 2s, idle: 1h}
                    keyed: true
                    parallelism: 2
                    sinks:
                      - postgres: {url: "%s", user: "%s", password: "%s", table: totals, create: true}
                    %s""".formatted(
                    one.bootstrap(), postgres.url(), PostgresServer.USER, PostgresServer.PASSWORD, totals.query());
            try (PipelineProcesses processes = new PipelineProcesses(directory, yaml)) {
                processes.start();
                processes.start();
                for (int kill = 1; kill <= 2; kill++) {
                    fill(totals, one, "rows", 10_000);
                    int enough = totals.expected().size() / 3;
                    await(processes, () -> rows(postgres).size() >= enough);
                    processes.replace(random.nextInt(2));
                }
                fill(totals, one, "rows", 1_000);
                await(processes, () -> {
                    totals.sendEnd(one, "rows", PARTITIONS);
                    return rows(postgres).equals(totals.expected());
                });
            }
        }
    }

    private long sent;

    private void fill(KafkaTotals totals, KafkaServer kafka, String topic, int records) {
        for (int i = 0; i < records; i++, sent++) {
            String metric = "m" + random.nextInt(KEYS);
            long time = BEGIN + sent * 100 - random.nextInt(1_000);
            totals.send(kafka, topic, KafkaTotals.partition(metric, PARTITIONS), time, metric, random.nextInt(1_000));
        }
        totals.flush();
    }

    private static Map<String, KafkaTotals.Result> rows(PostgresServer postgres) throws SQLException {
        Map<String, KafkaTotals.Result> rows = new HashMap<>();
        try (Connection connection =
                        DriverManager.getConnection(postgres.url(), PostgresServer.USER, PostgresServer.PASSWORD);
                ResultSet result = connection
                        .createStatement()
                        .executeQuery("SELECT window_start, metric, n, total FROM totals")) {
            while (result.next()) {
                rows.put(
                        KafkaTotals.key(result.getTimestamp(1).getTime(), result.getString(2)),
                        new KafkaTotals.Result(result.getLong(3), result.getLong(4)));
            }
            return rows;
        } catch (SQLException e) {
            if ("42P01".equals(e.getSQLState())) {
                return rows; // there is no table yet
            }
            throw e;
        }
    }

    private static String toEnd(String bootstrap, String topic, String more, String sink, KafkaTotals totals) {
        return """
                name: to-end
                source:
                  kafka: {bootstrap: "%s", topic: %s, to_end: true%s}
                time: {field: at, disorder: 1d, idle: 1h}
                sinks: [{%s}]
                %s""".formatted(bootstrap, topic, more, sink, totals.query());
    }

    private static RunningPipeline run(String yaml) throws Exception {
        return Pipelines.start(new SpecReader(Map.of()).read("test.yaml", yaml, "test"));
    }

    private static void await(RunningPipeline running, KafkaTotals totals, Callable<Boolean> condition)
            throws Exception {
        Await.until(
                "the results are there",
                LIMIT,
                () -> {
                    totals.tick(one, "spanning", PARTITIONS);
                    totals.read(TICK);
                    assertThat(running.failure()).isNull();
                    return condition.call();
                },
                () -> totals.state() + running.progress());
    }

    private static void await(RunningPipeline running, Callable<Boolean> condition) throws Exception {
        Await.until(
                "the run is so far",
                LIMIT,
                () -> {
                    assertThat(running.awaitEnd(POLL)).as(running.failure()).isFalse();
                    return condition.call();
                },
                running::progress);
    }

    private static void await(PipelineProcesses processes, Callable<Boolean> condition) throws Exception {
        Await.until(
                "the rows are written",
                LIMIT,
                () -> {
                    processes.revive();
                    return condition.call();
                },
                processes::logs);
    }
}
