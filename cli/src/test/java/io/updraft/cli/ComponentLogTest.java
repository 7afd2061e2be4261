package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.json.Json;
import io.updraft.base.testing.Await;
import io.updraft.cli.programs.Logging;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log lines of a component, as the console shows them, of a run in this process and of workers. */
@Tag("one-jdk")
class ComponentLogTest {
    private static final Pattern CONSOLE = Pattern.compile("updraft: console: (http://localhost:\\d+/)");
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    @Test
    void shouldTellTheLinesOfTwoComponentsOfOneClassApart() throws Exception {
        tellsApart("--metrics-port=0");
    }

    @Tag("long")
    @Test
    void shouldTellTheLinesOfTwoComponentsOfOneClassApartInTheLogsOfWorkers() throws Exception {
        tellsApart("--workers=2");
    }

    private void tellsApart(String option) throws Exception {
        UpdraftProcess run = UpdraftProcess.start(
                directory,
                "run",
                "--view=plain",
                "--ui-port=0",
                option,
                UpdraftProcess.jarOf(Logging.class, directory).toString(),
                Logging.class.getName());
        try {
            for (String component : List.of("count", "total")) {
                List<String> lines = awaitLines(run, component, 3);
                assertThat(lines)
                        .allSatisfy(line -> assertThat(line)
                                .contains(" WARN  " + component + "/", "programs.Logging ")
                                .endsWith(" " + component));
                assertThat(lines)
                        .filteredOn(line -> line.contains(" [helper] "))
                        .hasSize(1);
            }
        } finally {
            run.signal("INT");
            run.awaitExit();
        }
    }

    private List<String> awaitLines(UpdraftProcess run, String component, int number) throws Exception {
        List<String> lines = new ArrayList<>();
        Await.until(
                number + " lines of " + component,
                LIMIT,
                () -> {
                    lines.clear();
                    lines.addAll(lines(run, component));
                    return lines.size() >= number;
                },
                () -> lines + "\n" + run.err());
        return lines;
    }

    /** Asks all processes for the lines of a component; none before the console listens. */
    private List<String> lines(UpdraftProcess run, String component) throws Exception {
        List<String> lines = new ArrayList<>();
        String console = run.err().stream()
                .map(CONSOLE::matcher)
                .filter(Matcher::find)
                .map(found -> found.group(1) + "console/api/")
                .findFirst()
                .orElse(null);
        if (console != null) {
            for (Object process : (List<?>) get(console + "processes").get("processes")) {
                Object pid = ((Map<?, ?>) process).get("pid");
                Map<?, ?> answer = get(console + "log?lines=100&component=" + component + "&process=" + pid);
                if (answer.get("lines") instanceof List<?> some) {
                    some.forEach(line -> lines.add(line.toString()));
                }
            }
        }
        return lines;
    }

    private Map<?, ?> get(String url) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
        return Json.readObject(client.send(request, BodyHandlers.ofString()).body());
    }
}
