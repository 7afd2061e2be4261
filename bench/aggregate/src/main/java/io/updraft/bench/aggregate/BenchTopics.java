package io.updraft.bench.aggregate;

import io.updraft.servers.KafkaServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Creates, reads and deletes topics of the bench's broker. Not thread-safe. */
final class BenchTopics {

    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaServer server;

    /** Uses the topics of a broker. */
    public BenchTopics(KafkaServer server) {
        this.server = server;
    }

    /** {@return the broker's bootstrap servers} */
    public String bootstrap() {
        return server.bootstrap();
    }

    /** Starts a broker with enough memory and threads not to be the bottleneck, and without deletion of old records. */
    public static KafkaServer startBroker() {
        return KafkaServer.builder()
                .jvmOptions("-Xms1g", "-Xmx1g", "-XX:+UseParallelGC")
                .config("log.retention.ms", "-1")
                .config("num.network.threads", "2")
                .config("num.io.threads", "2")
                .start();
    }

    /** Creates a topic whose records get the time of their append as timestamp. */
    public void create(String name, int partitions) {
        server.createTopic(new NewTopic(name, partitions, (short) 1)
                .configs(Map.of("message.timestamp.type", "LogAppendTime", "retention.ms", "-1")));
    }

    public void delete(String name) throws InterruptedException {
        try {
            server.admin().deleteTopics(List.of(name)).all().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot delete topic " + name, e.getCause());
        }
    }

    /** {@return the number of records of a topic, including transaction markers} */
    public long records(String topic, int partitions) throws InterruptedException {
        return ends(topic, partitions).values().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    /** {@return the end offset of each partition, including records of open transactions} */
    private Map<TopicPartition, Long> ends(String topic, int partitions) throws InterruptedException {
        try {
            Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
            for (int partition = 0; partition < partitions; partition++) {
                latest.put(new TopicPartition(topic, partition), OffsetSpec.latest());
            }
            Map<TopicPartition, ListOffsetsResultInfo> found =
                    server.admin().listOffsets(latest).all().get();
            return found.entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey, entry -> entry.getValue().offset()));
        } catch (ExecutionException e) {
            throw new IllegalStateException("cannot read the end offsets of topic " + topic, e.getCause());
        }
    }

    /** Reads all records that a topic has now, except records of aborted transactions. */
    public void readAll(String topic, int partitions, Consumer<ConsumerRecord<byte[], byte[]>> records)
            throws InterruptedException {
        Map<TopicPartition, Long> ends = ends(topic, partitions);
        Map<String, Object> settings = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                server.bootstrap(),
                ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                "read_committed",
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                50_000);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(ends.keySet());
            consumer.seekToBeginning(ends.keySet());
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(POLL).forEach(records);
            }
        }
    }
}
