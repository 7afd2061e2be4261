package io.updraft.console;

import io.updraft.http.HttpAnswer;
import io.updraft.http.HttpPort;
import io.updraft.http.HttpQuery;
import io.updraft.http.HttpRoute;
import io.updraft.http.HttpSite;
import io.updraft.observe.metrics.ExpositionFormat;
import io.updraft.observe.metrics.HealthReport;
import io.updraft.observe.metrics.MetricsSource;
import io.updraft.observe.metrics.MetricsText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;

/** Serves the figures and the health of a run: {@code /metrics}, {@code /health/live} and {@code /health/ready}. */
public final class MetricsPort implements AutoCloseable {
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

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
        Map<String, HttpRoute> routes = Map.of(
                "/metrics", HttpRoute.get(query -> metrics(source, query)),
                "/health/ready", HttpRoute.get(query -> health(source.ready())),
                "/health/live", HttpRoute.atOnce(query -> health(source.live())));
        return new MetricsPort(HttpPort.open(address, HttpSite.open(routes)));
    }

    private static HttpAnswer metrics(MetricsSource source, HttpQuery query) {
        ExpositionFormat format = ExpositionFormat.accepted(query.header("Accept"));
        return HttpAnswer.of(OK, format.contentType(), MetricsText.of(source, format));
    }

    private static HttpAnswer health(HealthReport report) {
        return HttpAnswer.text(report.ok() ? OK : UNAVAILABLE, String.join("\n", report.lines()) + "\n");
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
