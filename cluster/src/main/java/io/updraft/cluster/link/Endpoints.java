package io.updraft.cluster.link;

import io.updraft.transport.Address;

/**
 * Where a worker listens. If one transport serves for all, both addresses are the same.
 *
 * @param host the name of its host; workers that give the same name are on one host
 * @param near where workers of the same host reach it, over the local transport
 * @param far where workers of other hosts reach it, over the remote transport
 */
public record Endpoints(String host, Address near, Address far) {

    /**
     * Chooses the address for a worker.
     *
     * @param from the host of that worker
     * @return where it reaches this one
     */
    public Address from(String from) {
        return host.equals(from) ? near : far;
    }
}
