package io.updraft.cli.run;

import io.updraft.storm.NimbusPort;
import io.updraft.storm.UpdraftCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The ports of a run, where clients find it. */
final class Services implements AutoCloseable {
    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    private Services() {}

    /**
     * Opens the ports that were asked for.
     *
     * @throws UserError when one cannot be opened; the others are closed then
     */
    static Services open(UpdraftCluster cluster, RunRequest request) {
        Services services = new Services();
        try {
            if (request.nimbus() != null) {
                NimbusPort nimbus = NimbusPort.open(cluster, request.nimbus());
                services.add(nimbus, Addresses.told("Nimbus", nimbus.address()));
            }
            return services;
        } catch (IOException e) {
            services.close();
            throw new UserError(e.getMessage(), e);
        }
    }

    private void add(AutoCloseable service, String line) {
        open.add(service);
        told.add(line);
    }

    /** {@return a line on each} */
    List<String> told() {
        return told;
    }

    /** Closes all, the cluster's topologies being gone. */
    @Override
    public void close() {
        for (AutoCloseable service : open) {
            try {
                service.close();
            } catch (Exception e) {
                throw new IllegalStateException("a port could not be closed: " + e.getMessage(), e);
            }
        }
    }
}
