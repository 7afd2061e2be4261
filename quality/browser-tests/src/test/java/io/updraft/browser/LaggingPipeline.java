package io.updraft.browser;

import io.updraft.servers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A pipeline from a topic of two partitions. The time of the second one is behind, and holds the windows open. */
final class LaggingPipeline {

    private static final long START = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();
    private static final int SECONDS = 20;

    private LaggingPipeline() {}

    static UpdraftRun start(KafkaServer kafka, Path directory) throws Exception {
        kafka.createTopic("console-hosts", 2, 1);
        UpdraftRun run = ConsoleRun.pipeline(directory, """
                name: hosts
                source: {kafka: {bootstrap: "%s", topic: console-hosts}}
                format: {type: csv, names: [t, k, v]}
                flatten: {fields: {t: {type: time, format: millis}, k: text, v: long}}
                aggregate: {group_by: k, measures: {n: count(), s: sum(v)}, every: 1s}
                sinks: [{csv: "%s/{window_start}.csv"}]
                time: {field: t, idle: 1h}
                alarm: 2s
                """.formatted(kafka.bootstrap(), directory.resolve("out")));
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrap()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            send(producer, 1, 0);
            for (int second = 0; second < SECONDS; second++) {
                send(producer, 0, second);
            }
        }
        return run;
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, int partition, int second) throws Exception {
        byte[] record = (START + second * 1_000 + ",a,1").getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>("console-hosts", partition, null, record))
                .get();
    }
}
