package io.updraft.storm;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Storm's requests by HTTP: {@code GET /drpc/function/arguments}, {@code GET /drpc/function}, and {@code POST /drpc/function}
 * with the arguments as the body. The answer is the body; failures are told by status and in JSON, as Storm's server does.
 */
final class DrpcHttp implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(DrpcHttp.class);
    private static final String PATH = "/drpc/";

    private final UpdraftDrpc drpc;
    private final int mostBytes;

    private record Call(String function, String arguments) {}

    DrpcHttp(UpdraftDrpc drpc, int mostBytes) {
        this.drpc = drpc;
        this.mostBytes = mostBytes;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        Call call = callOf(exchange);
        if (call == null) {
            exchange.close();
            return;
        }
        drpc.submit(call.function, call.arguments).whenComplete((answer, failure) -> {
            if (failure == null) {
                send(exchange, 200, "text/plain; charset=utf-8", answer);
            } else {
                refuse(exchange, failure instanceof CompletionException ? failure.getCause() : failure);
            }
        });
    }

    /** What is asked for; null when it was refused already. */
    private Call callOf(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getRawPath().substring(PATH.length());
        int slash = path.indexOf('/');
        String function = decoded(slash < 0 ? path : path.substring(0, slash));
        String rest = slash < 0 ? "" : path.substring(slash + 1);
        if (function.isEmpty()) {
            send(exchange, 404, "text/plain; charset=utf-8", "name a function: /drpc/<function>/<arguments>\n");
            return null;
        }
        return switch (exchange.getRequestMethod()) {
            case "GET" -> new Call(function, decoded(rest));
            case "POST" -> posted(exchange, function);
            default -> {
                send(exchange, 405, "text/plain; charset=utf-8", "only GET and POST\n");
                yield null;
            }
        };
    }

    private Call posted(HttpExchange exchange, String function) throws IOException {
        byte[] body = exchange.getRequestBody().readNBytes(mostBytes + 1);
        if (body.length > mostBytes) {
            send(exchange, 413, "text/plain; charset=utf-8", "arguments are limited to " + mostBytes + " bytes\n");
            return null;
        }
        return new Call(function, new String(body, StandardCharsets.UTF_8));
    }

    /** In a path, unlike in a form, a plus is a plus. */
    private static String decoded(String part) {
        return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static void refuse(HttpExchange exchange, Throwable failure) {
        Map<String, Object> body = new LinkedHashMap<>();
        int status = 500;
        if (failure instanceof DRPCExecutionException known) {
            status = statusOf(known);
            body.put("error", known.is_set_type() ? known.get_type().toString() : "Internal Error");
            body.put("errorMessage", known.get_msg());
        } else {
            body.put("error", "Internal Error");
            body.put("errorMessage", Failures.oneLine(failure));
        }
        send(exchange, status, "application/json", JSONObject.toJSONString(body));
    }

    private static int statusOf(DRPCExecutionException failure) {
        if (!failure.is_set_type()) {
            return 500;
        }
        return switch (failure.get_type()) {
            case FAILED_REQUEST -> 400;
            case SERVER_SHUTDOWN -> 503;
            case SERVER_TIMEOUT -> 504;
            case INTERNAL_ERROR -> 500;
        };
    }

    private static void send(HttpExchange exchange, int status, String type, String text) {
        byte[] body = text == null ? new byte[0] : text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            if (body.length > 0) {
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write(body);
                }
            }
        } catch (IOException e) {
            LOG.info("an answer of DRPC could not be sent to {}: {}", exchange.getRemoteAddress(), e.getMessage());
        }
    }
}
