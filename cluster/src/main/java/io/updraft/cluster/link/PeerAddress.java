package io.updraft.cluster.link;

import io.updraft.transport.Address;

/**
 * Where another worker can be reached.
 *
 * @param worker its number in the plan
 * @param incarnation which start of that worker it is
 * @param address where it listens
 */
public record PeerAddress(int worker, long incarnation, Address address) {}
