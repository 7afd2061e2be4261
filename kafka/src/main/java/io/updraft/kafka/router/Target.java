package io.updraft.kafka.router;

import java.util.Map;

/**
 * One cluster or broker that records may be sent to.
 *
 * @param name what reports and messages call it
 * @param properties how a producer reaches it, {@code bootstrap.servers} and what security needs; what else is named goes
 *     over what the router sets
 * @param topic the topic there; it must have at least as many partitions as the router uses
 */
public record Target(String name, Map<String, Object> properties, String topic) {

    /** Copies the properties. */
    public Target {
        properties = Map.copyOf(properties);
    }
}
