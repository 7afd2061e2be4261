package io.updraft.transport.session;

/**
 * The identity of a worker process of a topology.
 *
 * @param topologyId the id of the topology; peers of other topologies are refused
 * @param worker the worker's number in the plan
 * @param incarnation the number of the worker's process; greater with each start of the worker, to tell a process from its
 *     predecessor
 */
public record PeerIdentity(String topologyId, int worker, long incarnation) {}
