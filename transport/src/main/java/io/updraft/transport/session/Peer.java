package io.updraft.transport.session;

/**
 * Who takes part in a topology.
 *
 * @param topologyId the topology; peers of another are refused
 * @param worker the worker's number in the plan
 * @param incarnation grows with each start of that worker, so that a process is told from the one that it replaces
 */
public record Peer(String topologyId, int worker, long incarnation) {}
