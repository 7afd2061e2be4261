package io.updraft.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class KafkaServerTest {

    private static final String TOPIC = "numbers";

    @Test
    @Tag("long")
    void shouldGiveBackWhatWasProducedAlsoAfterAKill() throws Exception {
        long pid;
        try (KafkaServer server = KafkaServer.start()) {
            server.createTopic(TOPIC, 1, 1);
            produce(server, "one", "two");
            assertThat(consume(server, 2)).containsExactly("one", "two");

            server.broker(1).kill();
            assertThat(server.broker(1).isAlive()).isFalse();
            server.broker(1).start();
            produce(server, "three");
            assertThat(consume(server, 3)).containsExactly("one", "two", "three");
            pid = server.broker(1).pid();
        }
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    @Tag("long")
    void shouldListenOnThePortThatItIsGiven() throws Exception {
        int port = new Ports().next();
        try (KafkaServer server = KafkaServer.builder().port(port).start()) {
            assertThat(server.bootstrap()).isEqualTo("127.0.0.1:" + port);
            assertThat(server.admin().describeCluster().nodes().get())
                    .extracting(node -> node.port())
                    .containsExactly(port);
        }
    }

    @Test
    @Tag("long")
    void shouldGoOnWhileOneOfThreeBrokersIsStoppedOrDead() throws Exception {
        try (KafkaServer server = KafkaServer.cluster(3)) {
            server.createTopic(TOPIC, 1, 3);
            produce(server, "one");
            server.broker(3).suspend();
            produce(server, "two");
            server.broker(3).resume();
            server.awaitBrokers(3);
            server.broker(2).kill();
            produce(server, "three");
            assertThat(consume(server, 3)).containsExactly("one", "two", "three");
        }
    }

    private static void produce(KafkaServer server, String... values) throws ExecutionException, InterruptedException {
        // A request to a stopped broker is given up long before the record is; a broker that starts may take its time.
        Map<String, Object> config = Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                server.bootstrap(),
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                "240000",
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                "240000",
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                "3000",
                ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MS_CONFIG,
                "2000",
                ProducerConfig.SOCKET_CONNECTION_SETUP_TIMEOUT_MAX_MS_CONFIG,
                "4000");
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            for (String value : values) {
                producer.send(new ProducerRecord<>(TOPIC, value)).get();
            }
        }
    }

    private static List<String> consume(KafkaServer server, int number) {
        Map<String, Object> config = Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, server.bootstrap());
        TopicPartition partition = new TopicPartition(TOPIC, 0);
        List<String> values = new ArrayList<>();
        try (KafkaConsumer<String, String> consumer =
                new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
            while (values.size() < number && System.nanoTime() - deadline < 0) {
                consumer.poll(Duration.ofMillis(100)).forEach(consumed -> values.add(consumed.value()));
            }
        }
        return values;
    }
}
