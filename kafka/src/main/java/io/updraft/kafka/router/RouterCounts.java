package io.updraft.kafka.router;

import java.util.Map;

/**
 * What a router has done since its start.
 *
 * @param delivered records stored, by target
 * @param rerouted how often a record was sent again after a failure; each may be a duplicate, if only the answer was lost
 * @param refused records not taken as the router was full
 * @param failed records given up
 * @param waiting records taken whose fate is open
 */
public record RouterCounts(Map<String, Long> delivered, long rerouted, long refused, long failed, int waiting) {}
