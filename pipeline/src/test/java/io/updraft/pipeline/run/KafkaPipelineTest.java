package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.servers.KafkaServer;
import io.updraft.servers.ZooKeeperServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From Kafka to Kafka, through several processes that are killed while they work. */
@Tag("slow")
final class KafkaPipelineTest {

    private static final int PARTITIONS = 8;
    private static final int RECORDS = 200_000;
    private static final int KEYS = 200;
    private static final int PROCESSES = 3;
    private static final int KILLS = 4;

    /** Long ago, so that quiet partitions are moved on by the clock. */
    private static final long BEGIN = 1_357_000_000_000L;

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration POLL = Duration.ofMillis(20);

    @TempDir
    Path directory;

    private static KafkaServer kafka;

    @BeforeAll
    static void start() {
        kafka = KafkaServer.start();
    }

    @AfterAll
    static void stop() {
        if (kafka != null) {
            kafka.close();
        }
    }

    @Test
    void shouldCountEachRecordOnceWhereKafkaSharesOutPartitions() throws Exception {
        shouldCountEachRecordHoweverProcessesDie("group", true, "", true);
    }

    @Test
    void shouldCountEachRecordOnceWhereKeysAreInAnyPartition() throws Exception {
        shouldCountEachRecordHoweverProcessesDie("sole", false, "", true);
    }

    /** At least once: windows are written again, with the same values. */
    @Test
    void shouldGiveTheSameResultsHoweverOftenWhereZooKeeperSharesOutPartitions() throws Exception {
        try (ZooKeeperServer zooKeeper = ZooKeeperServer.start()) {
            shouldCountEachRecordHoweverProcessesDie(
                    "zookeeper", true, ", zookeeper: \"" + zooKeeper.address() + "\"", false);
        }
    }

    private void shouldCountEachRecordHoweverProcessesDie(String name, boolean keyed, String coordinator, boolean once)
            throws Exception {
        kafka.createTopic(name + "-in", PARTITIONS, 1);
        kafka.createTopic(name + "-out", 4, 1);
        Random random = new Random(7);
        try (PipelineProcesses processes = new PipelineProcesses(directory, yaml(name, keyed, coordinator, once));
                KafkaTotals totals = new KafkaTotals()) {
            totals.readFrom(kafka, name + "-out", 4);
            for (int i = 0; i < PROCESSES; i++) {
                processes.start();
            }
            long deadline = System.nanoTime() + LIMIT.toNanos();
            int sent = 0;
            int kills = 0;
            while (!totals.results().equals(totals.expected()) || sent < RECORDS || kills < KILLS) {
                assertThat(System.nanoTime())
                        .as(() -> "deadline; " + totals.state() + processes.logs())
                        .isLessThan(deadline);
                for (int end = Math.min(RECORDS, sent + 500); sent < end; sent++) {
                    send(totals, name + "-in", keyed, sent, random);
                }
                totals.read(POLL);
                if (kills < KILLS && totals.results().size() > totals.expected().size() * (long) kills / (2 * KILLS) + kills) {
                    kills++;
                    processes.replace(random.nextInt(PROCESSES));
                }
                processes.revive();
            }
            if (once) {
                assertThat(totals.doubles()).isEmpty();
            }
        }
    }

    private static String yaml(String name, boolean keyed, String coordinator, boolean once) {
        return """
                name: %2$s
                source:
                  kafka: {bootstrap: "%1$s", topic: %2$s-in%4$s}
                time: {field: at, disorder: 2s, idle: 3s}
                keyed: %3$s
                parallelism: 2
                sinks:
                  - kafka: {bootstrap: "%1$s", topic: %2$s-out, exactly_once: %5$s, format: csv}
                %6$s""".formatted(kafka.bootstrap(), name, keyed, coordinator, once, new KafkaTotals().query());
    }

    private static void send(KafkaTotals totals, String topic, boolean keyed, int i, Random random) {
        String metric = "m" + random.nextInt(KEYS);
        long time = BEGIN + i * 10L - random.nextInt(1_000);
        int value = random.nextInt(1_000);
        int partition = keyed ? KafkaTotals.partition(metric, PARTITIONS) : random.nextInt(PARTITIONS);
        totals.send(kafka, topic, partition, time, metric, value);
    }
}
