package io.updraft.kafka.sink;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * How results are written.
 *
 * @param properties how a producer reaches the cluster, {@code bootstrap.servers} and what security needs; what else is
 *     named goes over what is set here
 * @param patience for how long one commit tries again, and how long a transaction may take at first
 */
public record WriterSettings(Map<String, Object> properties, Duration patience) {

    /** Copies the properties. */
    public WriterSettings {
        properties = Map.copyOf(properties);
    }

    /**
     * A patience of 30 s.
     *
     * @param properties how a producer reaches the cluster
     * @return settings to start from
     */
    public static WriterSettings of(Map<String, Object> properties) {
        return new WriterSettings(properties, Duration.ofSeconds(30));
    }

    /** How long a transaction may take at first. */
    Duration transactionTime() {
        Object named = properties.get("transaction.timeout.ms");
        return named == null
                ? patience
                : Duration.ofMillis(Long.parseLong(named.toString().trim()));
    }

    /** A batch may take as long as its transaction. */
    Map<String, Object> transactionalProperties(Duration time) {
        Map<String, Object> all = producerProperties();
        int millis = Math.toIntExact(time.toMillis());
        int delivery =
                Integer.parseInt(all.get("delivery.timeout.ms").toString().trim());
        all.put("transaction.timeout.ms", millis);
        all.put("delivery.timeout.ms", Math.max(delivery, millis));
        return all;
    }

    Map<String, Object> producerProperties() {
        int millis = Math.toIntExact(patience.toMillis());
        Map<String, Object> all = new HashMap<>();
        all.put("key.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        all.put("value.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        all.put("acks", "all");
        all.put("enable.idempotence", "true");
        // Results come in bursts at the end of a window: large batches, and a short wait that lets them fill.
        all.put("linger.ms", "5");
        all.put("batch.size", "262144");
        all.put("buffer.memory", "67108864");
        all.put("request.timeout.ms", Math.max(1, millis / 3));
        all.put("delivery.timeout.ms", millis);
        all.put("max.block.ms", millis);
        all.putAll(properties);
        return all;
    }
}
