package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.cli.programs.Endless;
import io.updraft.cli.programs.Hanging;
import io.updraft.cli.programs.Idle;
import io.updraft.observe.metrics.ExpositionParser;
import io.updraft.observe.metrics.ExpositionParser.Series;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the figures and the health of a run, as a monitoring system does. */
@Tag("one-jdk")
class MetricsPortTest {
    private static final Pattern LINE = Pattern.compile("updraft: metrics: (http://localhost:\\d+)/metrics");

    private static final Pattern CONSOLE = Pattern.compile("updraft: console: (http://localhost:\\d+)/");

    @TempDir
    Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private UpdraftProcess run;
    private String url;

    @AfterEach
    void kill() throws Exception {
        if (run != null && run.isAlive()) {
            run.signal("KILL");
            run.awaitExit();
        }
    }

    private void start(Class<?> program, String... more) throws Exception {
        List<String> args = new ArrayList<>(List.of("run", "--view", "none", "--metrics-port", "0"));
        args.addAll(List.of(more));
        args.addAll(List.of(UpdraftProcess.jarOf(program, directory).toString(), program.getName()));
        start(args);
    }

    private void start(List<String> args) throws Exception {
        run = UpdraftProcess.start(directory, args.toArray(String[]::new));
        run.awaitErr("updraft: metrics: ");
        url = run.err().stream()
                .map(LINE::matcher)
                .filter(Matcher::matches)
                .map(line -> line.group(1))
                .findFirst()
                .orElseThrow();
    }

    private HttpResponse<String> get(String path, String accept) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .header("Accept", accept)
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    private String getFromConsole(String path) throws Exception {
        run.awaitErr("updraft: console: ");
        String console = run.err().stream()
                .map(CONSOLE::matcher)
                .filter(Matcher::matches)
                .map(line -> line.group(1))
                .findFirst()
                .orElseThrow();
        return client.send(HttpRequest.newBuilder(URI.create(console + path)).build(), BodyHandlers.ofString())
                .body();
    }

    private Map<Series, Double> figures() throws Exception {
        return ExpositionParser.parse(get("/metrics", "text/plain").body(), false);
    }

    private double awaitFigure(Series series, Predicate<Double> wanted) throws Exception {
        AtomicReference<Double> value = new AtomicReference<>();
        Await.until(series + " has the value", () -> {
            value.set(figures().get(series));
            return value.get() != null && wanted.test(value.get());
        });
        return value.get();
    }

    private HttpResponse<String> awaitReady(int status) throws Exception {
        AtomicReference<HttpResponse<String>> ready = new AtomicReference<>();
        Await.until("the answer is " + status, () -> {
            ready.set(get("/health/ready", "*/*"));
            return ready.get().statusCode() == status;
        });
        return ready.get();
    }

    private static Series sink(String figure) {
        return new Series("updraft_component_" + figure, Map.of("topology", "numbers", "component", "sink"));
    }

    private void second(String... command) throws Exception {
        UpdraftProcess asked = UpdraftProcess.run(directory, command);
        assertThat(asked.exitCode()).as("%s", asked.err()).isZero();
    }

    @Test
    void shouldServeGrowingCountersAndTheHealthOfATopology() throws Exception {
        start(Endless.class, "--ui-port", "0");
        run.awaitOut("running");
        double before = awaitFigure(sink("executed_tuples_total"), value -> value > 0);
        assertThat(awaitFigure(sink("executed_tuples_total"), value -> value > before))
                .isGreaterThan(before);
        HttpResponse<String> open = get("/metrics", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5");
        assertThat(open.headers().firstValue("Content-Type"))
                .contains("application/openmetrics-text; version=1.0.0; charset=utf-8");
        assertThat(ExpositionParser.parse(open.body(), true)).containsKey(sink("busy_seconds_total"));
        assertThat(get("/health/live", "*/*").body()).isEqualTo("alive\n");
        assertThat(awaitReady(200).body()).isEqualTo("ready\n");
        assertThat(ExpositionParser.parse(getFromConsole("/metrics"), false)).containsKey(sink("busy_seconds_total"));
        assertThat(getFromConsole("/health/ready")).isEqualTo("ready\n");
        second("deactivate");
        assertThat(awaitReady(503).body()).isEqualTo("topology 'numbers' is inactive\n");
        assertThat(get("/health/live", "*/*").statusCode()).isEqualTo(200);
        second("activate");
        awaitReady(200);
        run.signal("TERM");
        assertThat(run.awaitExit()).isZero();
    }

    @Test
    void shouldCountACallThatHangs() throws Exception {
        start(Hanging.class);
        run.awaitOut("submitted");
        awaitFigure(sink("stuck_calls"), value -> value == 1);
        assertThat(figures().get(sink("longest_call_seconds"))).isGreaterThan(1);
        HttpResponse<String> ready = get("/health/ready", "*/*");
        assertThat(ready.statusCode()).isEqualTo(200);
        assertThat(ready.body()).startsWith("ready\nnote: topology 'numbers': sink task ");
    }

    @Tag("slow")
    @Test
    void shouldServeFiguresOfWorkers() throws Exception {
        start(Endless.class, "--workers", "2");
        run.awaitOutEnding("running");
        awaitReady(200);
        Series first = new Series("updraft_worker_up", Map.of("topology", "numbers", "worker", "0"));
        assertThat(figures()).containsEntry(first, 1.0);
        awaitFigure(sink("executed_tuples_total"), value -> value > 0);
        run.workers().forEach(ProcessHandle::destroyForcibly);
        assertThat(awaitReady(503).body()).containsPattern("topology 'numbers': worker \\d is ");
        awaitReady(200);
        awaitFigure(
                new Series("updraft_worker_restarts_total", Map.of("topology", "numbers", "worker", "0")),
                value -> value == 1);
    }

    @Test
    void shouldServeFiguresOfAPipeline() throws Exception {
        Path log = directory.resolve("log.json");
        Files.writeString(log, "{\"host\": \"a\"}\nnonsense\n{\"host\": \"b\"}\n");
        Path pipeline = directory.resolve("hosts.yaml");
        Files.writeString(pipeline, """
                name: hosts
                source: {file: %s, follow: true}
                format: {type: json}
                state: %s
                time: processing
                aggregate: {group_by: [host], measures: {records: count()}, every: 1s}
                """.formatted(log, directory.resolve("hosts.positions")));
        start(List.of("aggregate", "--view=none", "--metrics-port=0", pipeline.toString()));
        awaitReady(200);
        Map<String, String> labels = Map.of("pipeline", "hosts");
        awaitFigure(new Series("updraft_pipeline_records_total", labels), value -> value == 3);
        awaitFigure(new Series("updraft_pipeline_bad_records_total", labels), value -> value == 1);
        awaitFigure(new Series("updraft_pipeline_groups_total", labels), value -> value == 2);
        assertThat(ExpositionParser.parse(
                        get("/metrics", "application/openmetrics-text").body(), true))
                .containsEntry(new Series("updraft_pipeline_running", labels), 1.0);
        run.signal("TERM");
        assertThat(run.awaitExit()).isZero();
    }

    @Test
    void shouldRefuseAPortThatIsTaken() throws Exception {
        Path log = directory.resolve("log.json");
        Files.writeString(log, "{\"host\": \"a\"}\n");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            String jar = UpdraftProcess.jarOf(Idle.class, directory).toString();
            for (List<String> command : List.of(
                    List.of("run", "--metrics-port", port, jar, Idle.class.getName()),
                    List.of("aggregate", "--metrics-port", port, "--from", log.toString(), "--count"))) {
                UpdraftProcess refused = UpdraftProcess.run(directory, command.toArray(String[]::new));
                assertThat(refused.exitCode()).isEqualTo(2);
                assertThat(refused.out()).isEmpty();
                assertThat(refused.err())
                        .singleElement()
                        .asString()
                        .contains("cannot listen on port " + port, "is another server running there?");
            }
        }
    }

    @Test
    void shouldRefuseOptionsWithoutMeaning() throws Exception {
        String jar = UpdraftProcess.jarOf(Idle.class, directory).toString();
        InProcessCommand host = InProcessCommand.run("run", "--metrics-host", "localhost", "x.jar");
        assertThat(host.exitCode()).isEqualTo(2);
        assertThat(host.err()).anyMatch(line -> line.contains("--metrics-host needs a port"));
        InProcessCommand port = InProcessCommand.run("run", "--metrics-port", "70000", jar, Idle.class.getName());
        assertThat(port.exitCode()).isEqualTo(2);
        assertThat(port.err()).anyMatch(line -> line.contains("--metrics-port must be from 0"));
    }
}
