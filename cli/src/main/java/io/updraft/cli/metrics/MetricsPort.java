package io.updraft.cli.metrics;

import io.updraft.cli.http.HttpAnswer;
import io.updraft.cli.http.HttpPage;
import io.updraft.cli.http.HttpPort;
import io.updraft.cli.http.HttpQuery;
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
        Map<String, HttpPage> pages =
                Map.of("/metrics", query -> metrics(source, query), "/health/ready", query -> health(source.ready()));
        Map<String, HttpPage> atOnce = Map.of("/health/live", query -> health(source.live()));
        return new MetricsPort(HttpPort.open(address, pages, atOnce, HttpPort.LIMITS));
    }

    private static HttpAnswer metrics(MetricsSource source, HttpQuery query) {
        ExpositionFormat format = ExpositionFormat.accepted(query.accept());
        return new HttpAnswer(OK, format.contentType(), text(source, format));
    }

    static String text(MetricsSource source, ExpositionFormat format) {
        MetricsText text = new MetricsText(format);
        source.write(text);
        JvmFigures.write(text);
        return text.end();
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
