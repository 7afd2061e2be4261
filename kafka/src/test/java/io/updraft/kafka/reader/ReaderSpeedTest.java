package io.updraft.kafka.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.servers.KafkaServer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * CPU time of the reading thread for each record of 100 bytes: Kafka's consumer as everybody uses it, with byte arrays, beside the
 * reader. Of one topic in one run, in turns; the first of three rounds warms up, of the others each has its best.
 *
 * <p>{@code -Dupdraft.kafka.records=} sets how many, {@code -Dupdraft.kafka.client=key=value,...} settings of the client, of both,
 * and {@code -Dupdraft.kafka.compression=} the producer's codec.
 */
@Tag("slow")
final class ReaderSpeedTest {

    private static final String TOPIC = "speed";
    private static final int PARTITIONS = 2;
    private static final int ROUNDS = 3;
    private static final int RECORDS = Integer.getInteger("updraft.kafka.records", 400_000);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @Test
    void shouldTakeLessTimeOfAThreadThanAPlainConsumer() {
        try (KafkaServer server =
                KafkaServer.builder().jvmOptions("-XX:+UseSerialGC", "-Xmx512m").start()) {
            server.createTopic(TOPIC, PARTITIONS, 1);
            fill(server);
            double leastPlain = Double.MAX_VALUE;
            double leastOurs = Double.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                double plain = plainConsumer(server);
                double ours = reader(server);
                System.out.printf(
                        "round %d: consumer %.3f us, reader %.3f us of its thread's CPU for each record, ratio %.2f%n",
                        round, plain, ours, plain / ours);
                if (round > 0) {
                    leastPlain = Math.min(leastPlain, plain);
                    leastOurs = Math.min(leastOurs, ours);
                }
            }
            assertThat(leastOurs).isLessThan(leastPlain * 1.5);
        }
    }

    private static double plainConsumer(KafkaServer server) {
        Map<String, Object> settings = new HashMap<>(client());
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, server.bootstrap());
        settings.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(partitions());
            consumer.seekToBeginning(partitions());
            long cpu = THREADS.getCurrentThreadCpuTime();
            long bytes = 0;
            int count = 0;
            while (count < RECORDS) {
                for (ConsumerRecord<byte[], byte[]> consumed : consumer.poll(Duration.ofMillis(100))) {
                    bytes += consumed.value().length;
                    count++;
                }
            }
            assertThat(bytes).isEqualTo(100L * RECORDS);
            return (THREADS.getCurrentThreadCpuTime() - cpu) / 1e3 / RECORDS;
        }
    }

    private static double reader(KafkaServer server) {
        ReaderConfig config = ReaderConfig.of(server.bootstrap());
        for (Map.Entry<String, Object> setting : client().entrySet()) {
            config = config.with(setting.getKey(), setting.getValue());
        }
        try (KafkaReader reader = new KafkaReader(config)) {
            partitions().forEach(partition -> reader.assign(partition, 0));
            long bytes = 0;
            int count = 0;
            while (count < RECORDS) {
                if (reader.poll() instanceof RecordBatch batch) {
                    bytes += batch.bytes().length;
                    count += batch.count();
                } else {
                    LockSupport.parkNanos(100_000);
                }
            }
            assertThat(bytes).isEqualTo(100L * RECORDS);
            return cpuOfReaders() / 1e3 / RECORDS;
        }
    }

    /** Each round has threads of its own, so all of their time counts: the connecting, too. */
    private static long cpuOfReaders() {
        return Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().startsWith("updraft-kafka-broker-"))
                .mapToLong(thread -> THREADS.getThreadCpuTime(thread.getThreadId()))
                .sum();
    }

    private static Map<String, Object> client() {
        Map<String, Object> settings = new HashMap<>();
        for (String setting : System.getProperty("updraft.kafka.client", "").split(",")) {
            if (!setting.isEmpty()) {
                settings.put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
            }
        }
        return settings;
    }

    private static List<TopicPartition> partitions() {
        return IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(TOPIC, partition))
                .toList();
    }

    private static void fill(KafkaServer server) {
        Map<String, Object> settings = Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                server.bootstrap(),
                ProducerConfig.BATCH_SIZE_CONFIG,
                64 << 10,
                ProducerConfig.LINGER_MS_CONFIG,
                20,
                ProducerConfig.COMPRESSION_TYPE_CONFIG,
                System.getProperty("updraft.kafka.compression", "none"));
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int i = 0; i < RECORDS; i++) {
                producer.send(new ProducerRecord<>(TOPIC, i % PARTITIONS, null, new byte[100]));
            }
        }
    }
}
