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
 * The resources that the transports of a topology's workers share on this host, if any. They live in the coordinator's process;
 * workers end when that process ends.
 *
 * @param service the service of the transport
 */
record SharedByWorkers(Optional<HostService> service) implements AutoCloseable {

    /**
     * Opens the shared resources.
     *
     * @param topology the topology's name, for messages
     * @param conf the whole configuration
     * @param workers number of workers
     * @throws InvalidTopology when the transport's service cannot start
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

    /** {@return the options that workers need to use the shared resources} */
    Map<String, Object> options() {
        return service.map(HostService::options).orElse(Map.of());
    }

    /** Closes the shared resources, after all workers have ended. Idempotent. */
    @Override
    public void close() {
        service.ifPresent(HostService::close);
    }
}
