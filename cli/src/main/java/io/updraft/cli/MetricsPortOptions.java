package io.updraft.cli;

import java.net.InetSocketAddress;
import picocli.CommandLine.Option;

/** The options that open the port for monitoring systems. */
final class MetricsPortOptions {
    @Option(
            names = "--metrics-port",
            paramLabel = "PORT",
            description = "Serve figures for Prometheus at /metrics on this port, and probes at /health/live and"
                    + " /health/ready (0: any free port). Default: no port.")
    private Integer port;

    @Option(
            names = "--metrics-host",
            paramLabel = "HOST",
            description = "Address of this host on which the figures are served. Clients are not authenticated; they"
                    + " can read the names of components and of methods that hang. Default: localhost.")
    private String host;

    /** Returns what is wrong with the combination of these options; null if nothing is. */
    String complaint() {
        return port == null && host != null ? "--metrics-host needs a port: add --metrics-port PORT" : null;
    }

    /** Returns the address; null for no port. */
    InetSocketAddress address() {
        return ServicePortOptions.of("--metrics-port", host, port);
    }
}
