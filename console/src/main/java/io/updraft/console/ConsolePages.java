package io.updraft.console;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonException;
import io.updraft.base.json.JsonObject;
import io.updraft.base.text.OneLine;
import io.updraft.http.HttpAnswer;
import io.updraft.http.HttpQuery;
import io.updraft.http.HttpRoute;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.storm.text.FailureMessages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The page, its files, and the requests that it makes. Reads are {@code GET /console/api/<request>} with parameters, actions are {@code
 * POST} with a JSON object; both answer a JSON object, which has the member {@code error} if there is no other answer.
 */
final class ConsolePages {
    static final String FILES = "/console/files/";

    /** The header that names the console: another process may later serve the same address. */
    static final String CONSOLE = "Updraft-Console";

    /** The argument of an action that names its user. No client sets it. */
    static final String USER = "user";

    private static final String API = "/console/api/";
    private static final String JSON = "application/json";
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int CONFLICT = 409;
    private static final int FAILED = 500;

    /** Requests that change something, or cost the run something. */
    static final Set<String> ACTIONS = Set.of(
            "activate",
            "deactivate",
            "kill",
            "rebalance",
            "debug",
            "log-level",
            "heap",
            "profile",
            "thread-dump",
            "restart-worker",
            "replay",
            "delete-file");

    /** Arguments that are numbers also in the parameters of a read. */
    private static final Set<String> NUMBERS = Set.of("lastSeconds", "stepSeconds", "lines", "newest", "worker");

    /** Requests of the second terminal that the page does not make. */
    private static final Set<String> HIDDEN = Set.of("top", "state");

    private static final String CONTENT_SECURITY_POLICY = "Content-Security-Policy";

    /** What is in a flame graph, such as names of methods, comes from programs: its script gets no access to the console. */
    private static final String SANDBOX =
            "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'";

    private final String id = UUID.randomUUID().toString();
    private final JsonObject session;
    private final Map<String, RequestHandler> handlers;
    private final DownloadDirectory downloads;
    private final ConsoleEnd end;
    private final ConsoleAssets assets = new ConsoleAssets();

    private ConsolePages(
            JsonObject session, Map<String, RequestHandler> handlers, DownloadDirectory downloads, ConsoleEnd end) {
        this.session = session;
        this.handlers = handlers;
        this.downloads = downloads;
        this.end = end;
    }

    /**
     * Returns the pages by path.
     *
     * @param session what the page is told about the process, besides the user and the requests
     * @param downloads the files that the requests make
     * @param end tells the pages why the process ends
     */
    static Map<String, HttpRoute> routes(
            JsonObject session, Map<String, RequestHandler> handlers, DownloadDirectory downloads, ConsoleEnd end) {
        ConsolePages pages = new ConsolePages(session, handlers, downloads, end);
        Map<String, HttpRoute> routes = new HashMap<>();
        routes.put("/", HttpRoute.atOnce(query -> pages.assets.get("index.html")));
        routes.put(
                "/console/",
                HttpRoute.get(query -> pages.assets.get(query.path().substring("/console/".length()))));
        routes.put(FILES, HttpRoute.get(pages::file));
        routes.put(
                API,
                new HttpRoute(
                        List.of("GET", "HEAD", "POST"),
                        false,
                        query -> end.on(pages.answer(query).with(CONSOLE, pages.id))));
        return routes;
    }

    private HttpAnswer file(HttpQuery query) {
        String name = query.path().substring(FILES.length());
        Optional<Path> file = downloads.find(name);
        if (file.isEmpty()) {
            return HttpAnswer.text(NOT_FOUND, "there is no such file any more\n");
        }
        boolean flame = name.endsWith(".html");
        HttpAnswer answer =
                HttpAnswer.file(file.get(), name, flame ? "text/html; charset=utf-8" : "application/octet-stream");
        return flame && query.parameter("view") != null
                ? answer.with("Content-Disposition", "inline").with(CONTENT_SECURITY_POLICY, SANDBOX)
                : answer;
    }

    private HttpAnswer answer(HttpQuery query) {
        String request = query.path().substring(API.length());
        if (request.equals("session")) {
            return json(200, session(query.user()));
        }
        RequestHandler handler = HIDDEN.contains(request) ? null : handlers.get(request);
        if (handler == null) {
            return failure(NOT_FOUND, "there is no request '" + request + "'");
        }
        if (ACTIONS.contains(request) != query.isAction()) {
            return failure(METHOD_NOT_ALLOWED, "'" + request + "' is made with " + (query.isAction() ? "GET" : "POST"));
        }
        String instance = query.header(CONSOLE);
        if (query.isAction() && !instance.isEmpty() && !instance.equals(id)) {
            return failure(
                    CONFLICT, "the process of this page has ended, and another one has its port; load the page again");
        }
        try {
            JsonObject arguments = query.isAction() ? body(query) : parameters(query);
            arguments.put(USER, query.user());
            return json(200, handler.answer(arguments));
        } catch (IllegalArgumentException e) {
            return failure(BAD_REQUEST, message(e));
        } catch (IOException e) {
            return failure(FAILED, message(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failure(FAILED, "the console ends");
        } catch (Exception e) {
            return failure(FAILED, FailureMessages.oneLine(e));
        }
    }

    private JsonObject session(String user) {
        JsonObject json = new JsonObject(session);
        json.put("user", user);
        Set<String> requests = new TreeSet<>(handlers.keySet());
        requests.removeAll(HIDDEN);
        json.put("requests", List.copyOf(requests));
        return json;
    }

    private static JsonObject body(HttpQuery query) {
        String text = new String(query.body(), StandardCharsets.UTF_8);
        try {
            return text.isBlank() ? JsonObject.of() : Json.readObject(text);
        } catch (JsonException e) {
            throw new IllegalArgumentException("the body is " + e.getMessage(), e);
        }
    }

    private static JsonObject parameters(HttpQuery query) {
        JsonObject arguments = new JsonObject();
        query.parameters().forEach((name, values) -> arguments.put(name, argument(name, values.get(0))));
        return arguments;
    }

    private static Object argument(String name, String value) {
        try {
            return NUMBERS.contains(name) ? Integer.valueOf(value) : value;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + name + "' must be a whole number, not '" + value + "'", e);
        }
    }

    /** Returns the message of an exception that is made for users. */
    private static String message(Exception e) {
        // The message of a failure with a file may be only its name.
        return e.getMessage() == null || e instanceof FileSystemException
                ? FailureMessages.oneLine(e)
                : OneLine.first(e.getMessage());
    }

    private static HttpAnswer failure(int status, String message) {
        return json(status, JsonObject.of("error", message));
    }

    private static HttpAnswer json(int status, JsonObject object) {
        return HttpAnswer.of(status, JSON, Json.write(object));
    }
}
