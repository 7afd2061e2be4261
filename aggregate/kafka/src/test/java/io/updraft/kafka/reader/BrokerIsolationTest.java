package io.updraft.kafka.reader;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.servers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * A failure of one broker of three affects its partitions only. The tests run in this order, because the killed broker stays
 * dead.
 */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class BrokerIsolationTest {

    /** After which a request to a broker that does not answer is given up. */
    private static final Duration REQUEST = Duration.ofSeconds(90);

    @AutoClose
    private static KafkaServer server;

    @AutoClose
    private KafkaReader reader;

    private final Map<TopicPartition, Set<String>> read = new HashMap<>();

    @BeforeAll
    static void startBrokers() {
        server = KafkaServer.cluster(3);
    }

    @BeforeEach
    void start() {
        int request = Math.toIntExact(REQUEST.toMillis());
        reader = new KafkaReader(ReaderConfig.of(server.bootstrap())
                .with("request.timeout.ms", request)
                .with("default.api.timeout.ms", request));
    }

    @Test
    @Order(1)
    void shouldReadOtherPartitionsWithoutDelayWhileABrokerIsStopped() {
        // Partition i lives on broker i + 1, and nowhere else.
        server.createTopic(new NewTopic("alone", Map.of(0, List.of(1), 1, List.of(2), 2, List.of(3))));
        for (int p = 0; p < 3; p++) {
            reader.assign(new TopicPartition("alone", p), 0);
        }
        produce("alone", List.of(0, 1, 2), "before");
        Await.until("all have the value", () -> allHave("alone", List.of(0, 1, 2), "before"));

        server.broker(3).suspend();
        long worst = 0;
        for (int i = 0; i < 10; i++) {
            String value = "during " + i;
            produce("alone", List.of(0, 1), value);
            long sent = System.nanoTime();
            Await.until("the others have the value", () -> allHave("alone", List.of(0, 1), value));
            worst = Math.max(worst, System.nanoTime() - sent);
        }
        // Nobody may have waited for an answer of the broker that is stopped.
        assertThat(Duration.ofNanos(worst)).isLessThan(REQUEST.dividedBy(2));
        assertThat(read.get(new TopicPartition("alone", 2))).containsExactly("before");

        server.broker(3).resume();
        produce("alone", List.of(2), "after");
        Await.until("the third has the value", () -> allHave("alone", List.of(2), "after"));
    }

    @Test
    @Order(2)
    void shouldFollowAPartitionToItsNewLeaderWhenABrokerDies() {
        server.createTopic(new NewTopic("twofold", Map.of(0, List.of(1, 2), 1, List.of(2, 1), 2, List.of(3, 1))));
        for (int p = 0; p < 3; p++) {
            reader.assign(new TopicPartition("twofold", p), 0);
        }
        produce("twofold", List.of(0, 1, 2), "before");
        Await.until("all have the value", () -> allHave("twofold", List.of(0, 1, 2), "before"));
        server.broker(3).kill();
        produce("twofold", List.of(0, 1, 2), "after");
        Await.until("all have the value", () -> allHave("twofold", List.of(0, 1, 2), "after"));
    }

    private void produce(String topic, List<Integer> partitions, String value) {
        String bootstrap = server.broker(1).address() + "," + server.broker(2).address();
        Map<String, Object> settings =
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap, ProducerConfig.MAX_BLOCK_MS_CONFIG, 240_000);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int partition : partitions) {
                producer.send(new ProducerRecord<>(topic, partition, null, value.getBytes(StandardCharsets.UTF_8)));
            }
        }
    }

    private boolean allHave(String topic, List<Integer> partitions, String value) {
        for (ReaderEvent event = reader.poll(); event != null; event = reader.poll()) {
            if (event instanceof KafkaChunk chunk) {
                for (int i = 0; i < chunk.count(); i++) {
                    assertThat(read.computeIfAbsent(chunk.topicPartition(), key -> new HashSet<>())
                                    .add(chunk.text(i)))
                            .as("%s of %s is new", chunk.text(i), chunk.topicPartition())
                            .isTrue();
                }
            }
        }
        return partitions.stream()
                .allMatch(partition -> read.getOrDefault(new TopicPartition(topic, partition), Set.of())
                        .contains(value));
    }
}
