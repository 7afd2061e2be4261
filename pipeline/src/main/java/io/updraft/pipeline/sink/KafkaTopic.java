package io.updraft.pipeline.sink;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What those have in common that write to a topic. */
final class KafkaTopic {

    private static final String KNOWN_WITHIN_MS = "5000";

    private KafkaTopic() {}

    /** A topic and its cluster, without secrets: words for people. */
    static String where(Map<String, String> client, String topic) {
        return "topic " + topic + " at " + client.get("bootstrap.servers");
    }

    /**
     * Looks whether a topic is there, before anything is sent to it: a producer that sends waits for a topic that does not exist for as long
     * as for brokers that are slow.
     *
     * @param client settings of the producer that will write to it
     * @throws org.apache.kafka.common.KafkaException if it is not known within some seconds
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
