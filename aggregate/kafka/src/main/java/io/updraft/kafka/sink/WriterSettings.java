package io.updraft.kafka.sink;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The settings of a writer.
 *
 * @param properties properties of the producer: {@code bootstrap.servers} and security; any other property overrides the
 *     writer's own
 * @param patience how long one commit is retried; also the first transaction timeout
 */
public record WriterSettings(Map<String, Object> properties, Duration patience) {

    /** Copies the properties. */
    public WriterSettings {
        properties = Map.copyOf(properties);
    }

    /** Returns settings with a patience of 30 s. */
    public static WriterSettings of(Map<String, Object> properties) {
        return new WriterSettings(properties, Duration.ofSeconds(30));
    }

    Duration transactionTime() {
        Object named = properties.get("transaction.timeout.ms");
        return named == null
                ? patience
                : Duration.ofMillis(Long.parseLong(named.toString().trim()));
    }

    /** Returns the producer's properties for transactions. The delivery of a batch may take as long as its transaction. */
    Map<String, Object> transactionalProperties(Duration time) {
        Map<String, Object> merged = producerProperties();
        int millis = Math.toIntExact(time.toMillis());
        int delivery =
                Integer.parseInt(merged.get("delivery.timeout.ms").toString().trim());
        merged.put("transaction.timeout.ms", millis);
        merged.put("delivery.timeout.ms", Math.max(delivery, millis));
        return merged;
    }

    Map<String, Object> producerProperties() {
        int millis = Math.toIntExact(patience.toMillis());
        Map<String, Object> merged = new HashMap<>();
        merged.put("key.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        merged.put("value.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        merged.put("acks", "all");
        merged.put("enable.idempotence", "true");
        // Results come in bursts at the end of a window: use large batches, and a short wait to fill them.
        merged.put("linger.ms", "5");
        merged.put("batch.size", "262144");
        merged.put("buffer.memory", "67108864");
        merged.put("request.timeout.ms", Math.max(1, millis / 3));
        merged.put("delivery.timeout.ms", millis);
        merged.put("max.block.ms", millis);
        merged.putAll(properties);
        return merged;
    }
}
