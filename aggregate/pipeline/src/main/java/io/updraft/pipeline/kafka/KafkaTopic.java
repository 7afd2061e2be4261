package io.updraft.pipeline.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Helpers for sinks that write to a topic. */
public final class KafkaTopic {

    private static final String KNOWN_WITHIN_MS = "5000";

    private KafkaTopic() {}

    /** Returns the topic and its cluster for messages, without secrets. */
    public static String where(Map<String, String> client, String topic) {
        return "topic " + topic + " at " + client.get("bootstrap.servers");
    }

    /**
     * Checks that a topic exists before anything is sent to it, since a producer would wait as long as for slow brokers. Throws
     * a {@link org.apache.kafka.common.KafkaException} when the topic is not found within some seconds.
     */
    static void check(Map<String, String> client, String topic) {
        Map<String, Object> settings = new HashMap<>(client);
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, KNOWN_WITHIN_MS);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.partitionsFor(topic);
        }
    }
}
