package io.updraft.cli.run;

import io.updraft.base.exit.UserError;
import io.updraft.console.MetricsPort;
import io.updraft.observe.metrics.MetricsSource;
import java.io.IOException;
import java.net.InetSocketAddress;

/** Opens the port for monitoring systems, if there is to be one. */
final class MetricsPorts {
    private MetricsPorts() {}

    /** Returns null without an address. */
    static MetricsPort open(InetSocketAddress address, MetricsSource source) {
        try {
            return address == null ? null : MetricsPort.open(address, source);
        } catch (IOException e) {
            throw new UserError(e.getMessage(), e);
        }
    }
}
