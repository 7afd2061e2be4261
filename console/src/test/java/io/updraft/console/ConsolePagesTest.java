package io.updraft.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.json.JsonObject;
import io.updraft.http.HttpAnswer;
import io.updraft.http.HttpQuery;
import io.updraft.http.HttpRoute;
import io.updraft.observe.inspection.RequestHandler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConsolePagesTest {
    @TempDir
    private Path directory;

    private final Map<String, RequestHandler> handlers = new HashMap<>();
    private Map<String, HttpRoute> routes;

    @BeforeEach
    void open() {
        handlers.put("live", request -> JsonObject.of("asked", request));
        handlers.put("kill", request -> JsonObject.of("message", "killed " + request.get("topology")));
        handlers.put("top", request -> JsonObject.of());
        routes = ConsolePages.routes(
                JsonObject.of("kind", "run"), handlers, new DownloadDirectory(directory), new ConsoleEnd());
    }

    @Test
    void shouldGivePageAndItsFiles() {
        assertThat(text(get("/", Map.of()))).contains("<title>Updraft</title>");
        assertThat(get("/console/app.js", Map.of()).type()).startsWith("text/javascript");
        assertThat(get("/console/lib/uPlot.iife.min.js", Map.of()).status()).isEqualTo(200);
        for (String none :
                List.of("nothing.js", "../log/log4j2.xml", "lib/../x.js", "", "build.properties", "lib/uPlot..js")) {
            assertThat(get("/console/" + none, Map.of()).status()).as(none).isEqualTo(404);
        }
    }

    @Test
    void shouldTellThePageWhatItMayAsk() {
        assertThat(text(get("/console/api/session", Map.of())))
                .contains("\"kind\":\"run\"", "\"user\":\"alice\"", "\"requests\":[\"kill\",\"live\"]");
    }

    @Test
    void shouldHideActionsOfTheReadOnlyPageThatTheServerRefuses() {
        String script = text(get("/console/app.js", Map.of()));
        Matcher names =
                Pattern.compile("const ACTIONS = new Set\\(\\[(.*?)]\\)").matcher(script);

        assertThat(names.find()).isTrue();
        assertThat(names.group(1).replaceAll("[\"\\s]", "").split(","))
                .containsExactlyInAnyOrderElementsOf(ConsolePages.ACTIONS);
    }

    @Test
    void shouldAnswerReadsWithTheirParameters() {
        HttpAnswer answer = get("/console/api/live", Map.of("topology", List.of("17"), "lines", List.of("17")));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(text(answer)).contains("\"topology\":\"17\"", "\"lines\":17");
        assertThat(text(get("/console/api/live", Map.of("lines", List.of("x")))))
                .contains("'lines' must be a whole number");
    }

    @Test
    void shouldTakeActionsByPostOnly() {
        assertThat(get("/console/api/kill", Map.of()).status()).isEqualTo(405);
        assertThat(post("/console/api/live", "{}").status()).isEqualTo(405);
        assertThat(text(post("/console/api/kill", "{\"topology\":\"words\"}")))
                .isEqualTo("{\"message\":\"killed words\"}");
        assertThat(post("/console/api/kill", "[").status()).isEqualTo(400);
        assertThat(get("/console/api/top", Map.of()).status()).isEqualTo(404);
    }

    @Test
    void shouldTakeNoActionOfThePageOfAnotherProcess() {
        String console = get("/console/api/session", Map.of()).headers().get(ConsolePages.CONSOLE);
        assertThat(get("/console/api/nothing", Map.of()).headers()).containsEntry(ConsolePages.CONSOLE, console);
        routes = ConsolePages.routes(JsonObject.of(), handlers, new DownloadDirectory(directory), new ConsoleEnd());
        String other = get("/console/api/live", Map.of()).headers().get(ConsolePages.CONSOLE);
        assertThat(other).isNotBlank().isNotEqualTo(console);
        assertThat(kill(console).status()).isEqualTo(409);
        assertThat(text(kill(console))).contains("another one has its port");
        assertThat(kill(other).status()).isEqualTo(200);
    }

    private HttpAnswer kill(String console) {
        return ask("POST", "/console/api/kill", Map.of(), Map.of(ConsolePages.CONSOLE, console), "{}");
    }

    @Test
    void shouldSayInOneLineWhatFailed() {
        handlers.put("live", request -> {
            throw new IOException("first\nsecond");
        });
        routes = ConsolePages.routes(JsonObject.of(), handlers, new DownloadDirectory(directory), new ConsoleEnd());
        HttpAnswer answer = get("/console/api/live", Map.of());
        assertThat(answer.status()).isEqualTo(500);
        assertThat(text(answer)).contains("first").doesNotContain("\n", "\\n");
        handlers.put("live", request -> {
            throw new AccessDeniedException("/state/console");
        });
        assertThat(text(get("/console/api/live", Map.of()))).contains("AccessDeniedException: /state/console");
    }

    @Test
    void shouldShowFlameGraphsWithoutAccessToTheConsole() throws IOException {
        Files.writeString(directory.resolve("flame-cpu-1.html"), "<script>");
        Files.writeString(directory.resolve("heap-1.hprof"), "x");
        HttpAnswer view = get("/console/files/flame-cpu-1.html", Map.of("view", List.of("1")));
        assertThat(view.headers().get("Content-Security-Policy"))
                .startsWith("sandbox allow-scripts; default-src 'none'");
        assertThat(get("/console/files/flame-cpu-1.html", Map.of()).headers().get("Content-Disposition"))
                .startsWith("attachment");
        HttpAnswer dump = get("/console/files/heap-1.hprof", Map.of("view", List.of("1")));
        assertThat(dump.headers().get("Content-Disposition")).startsWith("attachment");
        assertThat(get("/console/files/heap-2.hprof", Map.of()).status()).isEqualTo(404);
    }

    private HttpAnswer get(String path, Map<String, List<String>> parameters) {
        return ask("GET", path, parameters, "");
    }

    private HttpAnswer post(String path, String body) {
        return ask("POST", path, Map.of(), body);
    }

    private HttpAnswer ask(String method, String path, Map<String, List<String>> parameters, String body) {
        return ask(method, path, parameters, Map.of(), body);
    }

    private HttpAnswer ask(
            String method,
            String path,
            Map<String, List<String>> parameters,
            Map<String, String> headers,
            String body) {
        InetSocketAddress address = InetSocketAddress.createUnresolved("localhost", 80);
        HttpQuery query = new HttpQuery(
                method,
                path,
                path,
                "",
                parameters,
                headers,
                body.getBytes(StandardCharsets.UTF_8),
                address,
                address,
                "alice");
        HttpRoute route = routes.entrySet().stream()
                .filter(each -> path.equals(each.getKey())
                        || each.getKey().length() > 1 && each.getKey().endsWith("/") && path.startsWith(each.getKey()))
                .max((one, other) -> one.getKey().length() - other.getKey().length())
                .orElseThrow()
                .getValue();
        return route.page().get(query);
    }

    private static String text(HttpAnswer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
