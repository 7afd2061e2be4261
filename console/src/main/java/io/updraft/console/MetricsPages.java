package io.updraft.console;

import io.updraft.http.HttpAnswer;
import io.updraft.http.HttpQuery;
import io.updraft.http.HttpRoute;
import io.updraft.observe.metrics.ExpositionFormat;
import io.updraft.observe.metrics.HealthReport;
import io.updraft.observe.metrics.MetricsSource;
import io.updraft.observe.metrics.MetricsText;
import java.util.Map;

/** The figures and the health of a run: {@code /metrics}, {@code /health/live} and {@code /health/ready}. */
final class MetricsPages {
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    private MetricsPages() {}

    /** Returns the pages by path. */
    static Map<String, HttpRoute> routes(MetricsSource source) {
        return Map.of(
                "/metrics", HttpRoute.get(query -> metrics(source, query)),
                "/health/ready", HttpRoute.get(query -> health(source.ready())),
                "/health/live", HttpRoute.atOnce(query -> health(source.live())));
    }

    private static HttpAnswer metrics(MetricsSource source, HttpQuery query) {
        ExpositionFormat format = ExpositionFormat.accepted(query.header("Accept"));
        return HttpAnswer.of(OK, format.contentType(), MetricsText.of(source, format));
    }

    private static HttpAnswer health(HealthReport report) {
        return HttpAnswer.text(report.ok() ? OK : UNAVAILABLE, String.join("\n", report.lines()) + "\n");
    }
}
