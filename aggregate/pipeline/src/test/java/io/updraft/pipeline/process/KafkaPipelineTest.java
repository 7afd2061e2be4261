package io.updraft.pipeline.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.servers.KafkaServer;
import io.updraft.servers.ZooKeeperServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From Kafka to Kafka, through several processes that are killed while they work. */
@Tag("slow")
final class KafkaPipelineTest {

    private static final int PARTITIONS = 8;
    private static final int KEYS = 200;
    private static final int PROCESSES = 3;
    private static final int RECORDS_PER_KILL = 12_000;

    private static final long BEGIN = 1_357_000_000_000L;

    /** Processes that are killed in a test that counts exactly once. */
    private static final int KILLS = Integer.getInteger("updraft.kills", 2);

    private static final Duration LIMIT = Duration.ofMinutes(8);
    private static final Duration POLL = Duration.ofMillis(20);

    @TempDir
    Path directory;

    private static KafkaServer kafka;

    @AutoClose
    private static ZooKeeperServer zooKeeper;

    @BeforeAll
    static void start() {
        kafka = KafkaServer.shared();
    }

    @Test
    void shouldCountEachRecordOnceWhereKafkaSharesOutPartitions() throws Exception {
        shouldCountEachRecordHoweverProcessesDie("group", true, "", true, KILLS);
    }

    @Test
    void shouldCountEachRecordOnceWhereKeysAreInAnyPartition() throws Exception {
        shouldCountEachRecordHoweverProcessesDie("sole", false, "", true, KILLS);
    }

    @Test
    @Tag("long")
    void shouldCountEachRecordOnceWhereZooKeeperSharesOutPartitions() throws Exception {
        shouldCountEachRecordHoweverProcessesDie("zookeeper", true, zooKeeper(), true, KILLS);
    }

    /** At least once: windows are written again, with the same values. */
    @Test
    @Tag("long")
    void shouldGiveTheSameResultsHoweverOftenWhereZooKeeperSharesOutPartitions() throws Exception {
        shouldCountEachRecordHoweverProcessesDie("often", true, zooKeeper(), false, 1);
    }

    private static String zooKeeper() {
        if (zooKeeper == null) {
            zooKeeper = ZooKeeperServer.start();
        }
        return ", zookeeper: \"" + zooKeeper.address() + "\"";
    }

    private void shouldCountEachRecordHoweverProcessesDie(
            String name, boolean keyed, String coordinator, boolean once, int mostKills) throws Exception {
        int records = RECORDS_PER_KILL * mostKills;
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
            while (!totals.results().equals(totals.expected()) || sent < records || kills < mostKills) {
                assertThat(System.nanoTime())
                        .as(() -> "deadline; " + totals.state() + processes.logs())
                        .isLessThan(deadline);
                for (int end = Math.min(records, sent + 500); sent < end; sent++) {
                    send(totals, name + "-in", keyed, sent, random);
                }
                if (sent == records) {
                    totals.sendEnd(kafka, name + "-in", PARTITIONS);
                }
                totals.read(POLL);
                int part = totals.expected().size() / (2 * mostKills);
                if (kills < mostKills && totals.results().size() > (long) part * kills + kills) {
                    kills++;
                    processes.replace(random.nextInt(PROCESSES));
                }
                processes.revive();
            }
            if (once) {
                assertThat(totals.doubles()).as(processes::logs).isEmpty();
            }
        }
    }

    private static String yaml(String name, boolean keyed, String coordinator, boolean once) {
        return """
                name: %2$s
                source:
                  kafka: {bootstrap: "%1$s", topic: %2$s-in%4$s}
                time: {field: at, disorder: 2s, idle: 1h}
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
