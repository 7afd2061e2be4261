package io.updraft.console;

import io.updraft.console.access.AuditLog;
import io.updraft.http.HttpAnswer;
import io.updraft.http.HttpQuery;
import io.updraft.http.HttpRoute;
import io.updraft.rest.NimbusSource;
import io.updraft.rest.RestAnswer;
import io.updraft.rest.RestRequest;
import io.updraft.rest.StormRestApi;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Storm UI's REST API on the port of the console. Some of its actions are made with GET, so they are guarded and logged here. */
final class StormApiPages {
    static final String PATH = "/api/v1/";

    private static final Logger AUDIT = LoggerFactory.getLogger(AuditLog.LOGGER);
    private static final int FORBIDDEN = 403;
    private static final int MAX_PATH = 500;

    private final NimbusSource nimbus;
    private final Map<String, Object> settings;
    private final boolean readOnly;

    /** Null before the first request: most runs have none, and reading Storm's configuration takes time at the start. */
    private StormRestApi api;

    private StormApiPages(NimbusSource nimbus, Map<String, Object> settings, boolean readOnly) {
        this.nimbus = nimbus;
        this.settings = settings;
        this.readOnly = readOnly;
    }

    static HttpRoute route(NimbusSource nimbus, Map<String, Object> settings, boolean readOnly) {
        StormApiPages pages = new StormApiPages(nimbus, settings, readOnly);
        return new HttpRoute(List.of("GET", "HEAD", "POST"), false, pages::answer);
    }

    private synchronized StormRestApi api() {
        if (api == null) {
            Map<String, Object> conf = Utils.readStormConfig();
            conf.putAll(settings);
            api = new StormRestApi(nimbus, conf);
        }
        return api;
    }

    private HttpAnswer answer(HttpQuery query) {
        StormRestApi rest = api();
        String method = query.method().equals("HEAD") ? "GET" : query.method();
        RestRequest request = new RestRequest(
                method,
                query.rawPath(),
                query.parameters(),
                new String(query.body(), StandardCharsets.UTF_8),
                query.user());
        if (query.isAction() || !rest.isAction(request)) {
            return http(rest.answer(request));
        }
        HttpAnswer answer;
        if (readOnly || query.method().equals("HEAD")) {
            answer = refusal("the console is read-only");
        } else if (mayBeOfAnotherSite(query)) {
            answer = refusal("a browser must say which site makes this request: use a script, or TLS");
        } else {
            answer = http(rest.answer(request));
        }
        String path = AuditLog.shortened(query.rawPath(), MAX_PATH);
        AUDIT.info("{} from {}: {} {} -> {}", query.user(), query.peer(), query.method(), path, answer.status());
        return answer;
    }

    /**
     * Returns whether a page of another site may have made a request that acts by GET. Browsers send {@code Sec-Fetch-Site} by
     * TLS and to the loopback address only. With a password they have, the page needs nothing but an image with this address.
     */
    private static boolean mayBeOfAnotherSite(HttpQuery query) {
        return query.header("Sec-Fetch-Site").isEmpty()
                && query.header("User-Agent").startsWith("Mozilla/");
    }

    private static HttpAnswer refusal(String why) {
        return HttpAnswer.of(
                FORBIDDEN, "application/json", "{\"error\":\"403 Forbidden\",\"errorMessage\":\"" + why + "\"}");
    }

    private static HttpAnswer http(RestAnswer answer) {
        return HttpAnswer.of(answer.status(), answer.contentType(), answer.body());
    }
}
