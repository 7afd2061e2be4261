package io.updraft.kafka.router;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a {@link Router} sends.
 *
 * @param targets in the order in which they are preferred
 * @param partitions how many partition indexes keys are spread over; the same everywhere, or keys move
 * @param maxRecords how many records may wait for their delivery
 * @param maxBytes how many bytes of keys and values these may have
 * @param failover how long a target may take for a record before the next one gets it
 * @param probe how long to leave a failed target alone before one record tries it again
 */
public record RouterSettings(
        List<Target> targets, int partitions, int maxRecords, long maxBytes, Duration failover, Duration probe) {

    /** Checks that there is something to send to. */
    public RouterSettings {
        targets = List.copyOf(targets);
        if (targets.isEmpty() || partitions < 1 || maxRecords < 1 || maxBytes < 1) {
            throw new IllegalArgumentException("A router needs a target, a partition, and room for a record.");
        }
        Set<String> names = new HashSet<>();
        targets.forEach(target -> {
            if (!names.add(target.name())) {
                throw new IllegalArgumentException("Two targets are named " + target.name() + ".");
            }
        });
    }

    /**
     * 100,000 records of 64 MiB, failover after 3 s, a probe each 2 s.
     *
     * @param targets in the order in which they are preferred
     * @param partitions how many partition indexes keys are spread over
     * @return settings to start from
     */
    public static RouterSettings of(List<Target> targets, int partitions) {
        return new RouterSettings(
                targets, partitions, 100_000, 64L << 20, Duration.ofSeconds(3), Duration.ofSeconds(2));
    }

    /**
     * Other bounds of memory.
     *
     * @param records how many records may wait
     * @param bytes how many bytes these may have
     * @return these settings with them
     */
    public RouterSettings withRoom(int records, long bytes) {
        return new RouterSettings(targets, partitions, records, bytes, failover, probe);
    }

    /**
     * Other times.
     *
     * @param failover how long a target may take for a record
     * @param probe how long to leave a failed target alone
     * @return these settings with them
     */
    public RouterSettings withTimes(Duration failover, Duration probe) {
        return new RouterSettings(targets, partitions, maxRecords, maxBytes, failover, probe);
    }

    Map<String, Object> producerProperties(Target target) {
        int millis = Math.toIntExact(failover.toMillis());
        Map<String, Object> all = new HashMap<>();
        all.put("key.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        all.put("value.serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
        all.put("acks", "all");
        all.put("enable.idempotence", "true");
        all.put("linger.ms", "2");
        all.put("batch.size", "65536");
        // The router bounds what waits; the producer must never be what blocks.
        all.put("buffer.memory", Math.max(32L << 20, 2 * maxBytes));
        all.put("delivery.timeout.ms", millis);
        all.put("request.timeout.ms", Math.max(1, millis / 2));
        all.put("max.block.ms", millis);
        all.put("reconnect.backoff.max.ms", Math.max(50, Math.min(1_000, (int) probe.toMillis())));
        all.putAll(target.properties());
        return all;
    }
}
