package io.updraft.cluster.local;

import io.updraft.engine.plan.InvalidTopology;
import io.updraft.transport.HostService;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportNames;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.Transports;
import java.util.Map;
import java.util.Optional;

/**
 * What the transports of all workers of a topology share on this host, if anything. It lives in the coordinator's process:
 * workers end when that does.
 *
 * @param service the transport's
 */
record SharedByWorkers(Optional<HostService> service) implements AutoCloseable {

    /**
     * Opens it.
     *
     * @param topology the topology's name, for people
     * @param conf the whole configuration
     * @param workers number of workers
     * @throws InvalidTopology when the transport's part cannot run
     */
    static SharedByWorkers open(String topology, Map<String, Object> conf, int workers) {
        if (workers == 1) {
            return new SharedByWorkers(Optional.empty());
        }
        try {
            return new SharedByWorkers(
                    Transports.openHostService(TransportNames.of(conf).local(), TransportOptions.of(conf)));
        } catch (TransportException | IllegalArgumentException e) {
            throw new InvalidTopology("topology '" + topology + "': " + e.getMessage(), e);
        }
    }

    /** {@return what workers have to be told of it} */
    Map<String, Object> options() {
        return service.map(HostService::options).orElse(Map.of());
    }

    /** To be called when no worker is left. Idempotent. */
    @Override
    public void close() {
        service.ifPresent(HostService::close);
    }
}
