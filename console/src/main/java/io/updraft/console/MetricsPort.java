package io.updraft.console;

import io.updraft.http.HttpPort;
import io.updraft.http.HttpSite;
import io.updraft.observe.metrics.MetricsSource;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A port of its own for the figures and the health of a run, for clients without a password. */
public final class MetricsPort implements AutoCloseable {
    private final HttpPort port;

    private MetricsPort(HttpPort port) {
        this.port = port;
    }

    /**
     * Opens the port.
     *
     * @throws IOException when the port cannot be opened; the message is one line for users
     */
    public static MetricsPort open(InetSocketAddress address, MetricsSource source) throws IOException {
        return new MetricsPort(HttpPort.open(address, HttpSite.open(MetricsPages.routes(source))));
    }

    /** {@return the line that says where the figures are} */
    public String listenLine() {
        return "updraft: metrics: " + port.url() + "/metrics";
    }

    @Override
    public void close() {
        port.close();
    }
}
