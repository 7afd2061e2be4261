package io.updraft.cluster.link;

/**
 * Where another worker can be reached.
 *
 * @param worker its number in the plan
 * @param incarnation which start of that worker it is
 * @param endpoints where it listens
 */
public record PeerAddress(int worker, long incarnation, Endpoints endpoints) {}
