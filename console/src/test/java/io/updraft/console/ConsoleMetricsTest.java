package io.updraft.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.console.access.UiSettings;
import io.updraft.observe.metrics.MetricsSource;
import io.updraft.observe.metrics.RunMetrics;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The figures and the probes on the console's port, with real clients. */
@Tag("one-jdk")
final class ConsoleMetricsTest {
    private static final List<String> PATHS = List.of("/metrics", "/health/live", "/health/ready");

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> lines = new ArrayList<>();
    private Console console;

    @AfterEach
    void close() {
        if (console != null) {
            console.close();
        }
    }

    /** Returns what the console's address has after its port: the token, if one is needed. */
    private String open(String host, MetricsSource metrics) throws IOException {
        UiSettings settings = new UiSettings(true, true, 0, host, List.of(), List.of(), false, null, null);
        console = Console.open(
                settings, Map.of(), new Console.Content("run", "words", Map.of(), null, metrics), lines::add);
        return lines.get(0).replaceFirst(".*/", "");
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        String port = lines.get(0).replaceFirst(".*:(\\d+)/.*", "$1");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        return client.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    private static MetricsSource run() {
        return new RunMetrics(List::of, () -> Duration.ZERO, true);
    }

    @Test
    void shouldServeFiguresAndProbesToThisUser() throws Exception {
        open(null, run());
        HttpResponse<String> figures = get("/metrics", "Accept", "application/openmetrics-text");
        assertThat(figures.body())
                .contains("updraft_process_start_time_seconds ")
                .endsWith("# EOF\n");
        assertThat(figures.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/openmetrics-text"));
        assertThat(get("/health/live").body()).isEqualTo("alive\n");
        assertThat(get("/health/ready").body()).isEqualTo("ready\n");
    }

    @Test
    void shouldRefuseFiguresAndProbesWithoutTheTokenOnAnotherAddress() throws Exception {
        String token = open("0.0.0.0", run()).replace("?token=", "");
        for (String path : PATHS) {
            assertThat(get(path).statusCode()).as(path).isEqualTo(401);
            assertThat(get(path + "?token=" + token).statusCode()).as(path).isEqualTo(401);
            assertThat(get(path, "Authorization", "Bearer " + token).statusCode())
                    .as(path)
                    .isEqualTo(200);
        }
    }

    @Test
    void shouldRefuseFiguresToOtherWebSites() throws Exception {
        open(null, run());
        for (String path : PATHS) {
            assertThat(get(path, "Origin", "http://evil.example").statusCode())
                    .as(path)
                    .isEqualTo(403);
        }
    }

    @Test
    void shouldServeNoFiguresOfACluster() throws Exception {
        open(null, null);
        for (String path : PATHS) {
            assertThat(get(path).statusCode()).as(path).isEqualTo(404);
        }
    }
}
