package io.updraft.storm.drpc;

import io.updraft.base.net.ConnectionLimits;
import io.updraft.http.HttpAnswer;
import io.updraft.http.HttpFilter;
import io.updraft.http.HttpPage;
import io.updraft.http.HttpQuery;
import io.updraft.http.HttpSite;
import io.updraft.storm.UpdraftDrpc;
import io.updraft.storm.text.FailureMessages;
import io.updraft.storm.thrift.AllowedUsers;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.apache.storm.generated.DRPCExceptionType;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.shade.net.minidev.json.JSONObject;

/**
 * Storm's DRPC requests over HTTP: {@code GET /drpc/function/arguments}, {@code GET /drpc/function}, and {@code POST
 * /drpc/function} with the arguments as the body. The body of the response is the answer. A failure is a status and JSON, as from
 * Storm's server. A request that waits for its answer holds no thread.
 */
final class DrpcHttpPage implements HttpPage {
    private static final ConnectionLimits.Limits LIMITS = new ConnectionLimits.Limits(
            1024, 64, Duration.ofSeconds(60), Duration.ofSeconds(60), Duration.ofMinutes(5), Duration.ofSeconds(1));
    private static final String PATH = "/drpc/";
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int INTERNAL_SERVER_ERROR = 500;
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final int GATEWAY_TIMEOUT = 504;

    private final UpdraftDrpc drpc;

    private DrpcHttpPage(UpdraftDrpc drpc) {
        this.drpc = drpc;
    }

    /** Returns the site for users who may call; request bodies may have up to {@code maxBytes}. */
    static HttpSite site(UpdraftDrpc drpc, AllowedUsers users, int maxBytes) {
        return new HttpSite(
                Map.of(), new DrpcHttpPage(drpc), new Callers(users), null, LIMITS, maxBytes, "updraft-drpc-http");
    }

    @Override
    public HttpAnswer get(HttpQuery query) {
        if (!query.path().startsWith(PATH)) {
            return HttpAnswer.text(NOT_FOUND, "no such path; functions are under " + PATH + "\n");
        }
        String[] parts = query.path().substring(PATH.length()).split("/", 2);
        try {
            return answer(query, decoded(parts[0]), parts.length < 2 ? "" : parts[1]);
        } catch (IllegalArgumentException e) {
            return HttpAnswer.text(BAD_REQUEST, e.getMessage() + "\n");
        }
    }

    private HttpAnswer answer(HttpQuery query, String function, String arguments) {
        if (function.isEmpty()) {
            return HttpAnswer.text(NOT_FOUND, "no function given; use /drpc/<function>/<arguments>\n");
        }
        return switch (query.method()) {
            case "GET" -> call(function, decoded(arguments));
            case "POST" -> call(function, new String(query.body(), StandardCharsets.UTF_8));
            default -> HttpAnswer.text(METHOD_NOT_ALLOWED, "only GET and POST are supported\n");
        };
    }

    private HttpAnswer call(String function, String arguments) {
        return HttpAnswer.later(drpc.submit(function, arguments)
                .handle((answer, failure) -> failure == null
                        ? HttpAnswer.text(OK, answer == null ? "" : answer)
                        : failed(failure instanceof CompletionException ? failure.getCause() : failure)));
    }

    /** Decodes a part of a path: a plus stands for itself there, unlike in a form. */
    private static String decoded(String part) {
        return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static HttpAnswer failed(Throwable failure) {
        DRPCExecutionException declared = failure instanceof DRPCExecutionException exception ? exception : null;
        DRPCExceptionType type = declared != null && declared.is_set_type() ? declared.get_type() : null;
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error", type == null ? "Internal Error" : type.toString());
        body.put("errorMessage", declared == null ? FailureMessages.oneLine(failure) : declared.get_msg());
        return HttpAnswer.of(statusOf(type), "application/json", JSONObject.toJSONString(body));
    }

    private static int statusOf(DRPCExceptionType type) {
        if (type == null) {
            return INTERNAL_SERVER_ERROR;
        }
        return switch (type) {
            case FAILED_REQUEST -> BAD_REQUEST;
            case SERVER_SHUTDOWN -> SERVICE_UNAVAILABLE;
            case SERVER_TIMEOUT -> GATEWAY_TIMEOUT;
            case INTERNAL_ERROR -> INTERNAL_SERVER_ERROR;
        };
    }

    /** Refuses who may not call. Asks once for each connection who is at the other end. */
    private static final class Callers implements HttpFilter {
        private final AllowedUsers users;
        private boolean allowed;

        private Callers(AllowedUsers users) {
            this.users = users;
        }

        @Override
        public HttpFilter ofConnection() {
            return new Callers(users);
        }

        @Override
        public boolean isStranger(InetSocketAddress peer, InetSocketAddress own) {
            return refusal(peer, own) != null;
        }

        private String refusal(InetSocketAddress peer, InetSocketAddress own) {
            String refusal = allowed ? null : users.refusal(peer, own);
            allowed = refusal == null;
            return refusal;
        }

        @Override
        public HttpAnswer answer(HttpQuery query, HttpPage page) {
            String refusal = refusal(query.peer(), query.local());
            if (refusal == null && !users.allowsEveryone() && isFromAPage(query)) {
                refusal = "web pages are refused";
            }
            return refusal == null ? page.get(query) : HttpAnswer.text(FORBIDDEN, refusal + "\n");
        }

        /**
         * Returns whether a web page made the request: the browser of an allowed user runs foreign code, and names its origin in
         * headers.
         */
        private static boolean isFromAPage(HttpQuery query) {
            String site = query.header("Sec-Fetch-Site");
            return query.headers().containsKey("Origin") || !(site.isEmpty() || site.equals("none"));
        }
    }
}
