package io.updraft.kafka.router;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The settings of a {@link Router}.
 *
 * @param targets the targets, most preferred first
 * @param partitions the number of partition indexes that keys are spread over; must be the same in every process, or keys move
 * @param maxRecords the most records that may wait for their delivery
 * @param maxBytes the most bytes of keys and values of the waiting records
 * @param failover how long a target may take for a record before the next target gets it
 * @param probe how long a failed target gets no records before one record probes it
 */
public record RouterSettings(
        List<Target> targets, int partitions, int maxRecords, long maxBytes, Duration failover, Duration probe) {

    /** Checks the settings. */
    public RouterSettings {
        targets = List.copyOf(targets);
        if (targets.isEmpty() || partitions < 1 || maxRecords < 1 || maxBytes < 1) {
            throw new IllegalArgumentException("a router needs at least one target, partition, record and byte");
        }
        Set<String> names = new HashSet<>();
        targets.forEach(target -> {
            if (!names.add(target.name())) {
                throw new IllegalArgumentException("two targets are named " + target.name() + ": names must differ");
            }
        });
    }

    /**
     * Returns settings for 100,000 records of 64 MiB, failover after 3 s, and a probe every 2 s.
     *
     * @param partitions the number of partition indexes that keys are spread over
     */
    public static RouterSettings of(List<Target> targets, int partitions) {
        return new RouterSettings(
                targets, partitions, 100_000, 64L << 20, Duration.ofSeconds(3), Duration.ofSeconds(2));
    }

    /** Sets the memory limits. */
    public RouterSettings withLimits(int records, long bytes) {
        return new RouterSettings(targets, partitions, records, bytes, failover, probe);
    }

    /** Sets the times. */
    public RouterSettings withTimes(Duration failover, Duration probe) {
        return new RouterSettings(targets, partitions, maxRecords, maxBytes, failover, probe);
    }

    Map<String, Object> producerProperties(Target target) {
        int millis = Math.toIntExact(failover.toMillis());
        Map<String, Object> properties = new HashMap<>();
        properties.put("key.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        properties.put("value.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        properties.put("acks", "all");
        properties.put("enable.idempotence", "true");
        properties.put("linger.ms", "2");
        properties.put("batch.size", "65536");
        // The router limits the waiting records; the producer must never block because its buffer is full.
        properties.put("buffer.memory", Math.max(32L << 20, 2 * maxBytes));
        properties.put("delivery.timeout.ms", millis);
        properties.put("request.timeout.ms", Math.max(1, millis / 2));
        properties.put("max.block.ms", millis);
        properties.put("reconnect.backoff.max.ms", Math.max(50, Math.min(1_000, (int) probe.toMillis())));
        properties.putAll(target.properties());
        return properties;
    }

    /**
     * A cluster or broker to which a router may send records.
     *
     * @param name the name in reports and messages
     * @param properties properties of the producer: {@code bootstrap.servers} and security; any other property overrides the
     *     router's own
     * @param topic the topic; it must have at least as many partitions as the router uses
     */
    public record Target(String name, Map<String, Object> properties, String topic) {

        /** Copies the properties. */
        public Target {
            properties = Map.copyOf(properties);
        }
    }
}
