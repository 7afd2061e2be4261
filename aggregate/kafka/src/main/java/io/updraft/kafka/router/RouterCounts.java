package io.updraft.kafka.router;

import java.util.Map;

/**
 * The counts of a router since its start.
 *
 * @param delivered records stored, by target
 * @param rerouted how often a record was sent again after a failure; each may be a duplicate, if only the acknowledgement was
 *     lost
 * @param refused records not taken because the router was full
 * @param failed records given up
 * @param waiting records taken whose outcome is not known yet
 */
public record RouterCounts(Map<String, Long> delivered, long rerouted, long refused, long failed, int waiting) {}
