package io.updraft.kafka.reader;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;

final class KafkaClientSettings {

    /** After this time without an answer, the request goes to another broker. */
    private static final int REQUEST_TIMEOUT_MILLIS = 10_000;

    private static final int QUICK_TIMEOUT_MILLIS = 2_000;

    /**
     * The most records of one poll. The client allocates half a kilobyte for each; this many are still in the core's cache when
     * they are copied.
     */
    private static final int POLL_RECORDS = 1_000;

    /**
     * The most bytes of a fetch response, over all partitions. With Kafka's default of 50 MiB, the fetched bytes have left the
     * cache before they are read, and the collector copies those still waiting. That costs a quarter more CPU time than 4 to 16
     * MiB.
     */
    private static final int FETCH_BYTES = 4 << 20;

    private KafkaClientSettings() {}

    /**
     * Returns the settings of a consumer that reads from one broker. That broker is its bootstrap server, so it needs no other
     * address.
     */
    static Map<String, Object> ofReader(ReaderConfig config, String address) {
        Map<String, Object> settings = new HashMap<>();
        settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLL_RECORDS);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES);
        settings.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
        settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
        settings.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
        settings.put(ConsumerConfig.RECEIVE_BUFFER_CONFIG, -1);
        settings.putAll(config.client());
        settings.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, address);
        settings.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
        settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
        settings.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
        settings.remove(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG);
        settings.remove(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);
        return settings;
    }

    /** Returns the settings of the admin client that looks up leaders. A request to a stopped broker times out soon. */
    static Map<String, Object> ofAdmin(ReaderConfig config) {
        Map<String, Object> settings = new HashMap<>(config.client());
        settings.keySet().retainAll(AdminClientConfig.configNames());
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, QUICK_TIMEOUT_MILLIS);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
        settings.put(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
        return settings;
    }
}
