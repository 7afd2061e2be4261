package io.updraft.cluster.link;

import io.updraft.transport.Address;

/**
 * The addresses on which a worker listens. If one transport serves all workers, both addresses are the same.
 *
 * @param host the name of the worker's host; workers that give the same name are on one host
 * @param near the address for workers of the same host, over the local transport
 * @param far the address for workers of other hosts, over the remote transport
 */
public record Endpoints(String host, Address near, Address far) {}
