package io.updraft.kafka.router;

import java.util.Map;

/**
 * A cluster or broker to which a router may send records.
 *
 * @param name the name in reports and messages
 * @param properties properties of the producer: {@code bootstrap.servers} and security; any other property overrides the
 *     router's own
 * @param topic the topic; it must have at least as many partitions as the router uses
 */
public record RouterTarget(String name, Map<String, Object> properties, String topic) {

    /** Copies the properties. */
    public RouterTarget {
        properties = Map.copyOf(properties);
    }
}
