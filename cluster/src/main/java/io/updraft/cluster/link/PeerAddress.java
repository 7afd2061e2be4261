package io.updraft.cluster.link;

/**
 * The addresses of another worker.
 *
 * @param worker the number of the worker in the plan
 * @param incarnation the number of the start of that worker
 * @param endpoints the addresses on which the worker listens
 */
public record PeerAddress(int worker, long incarnation, Endpoints endpoints) {}
