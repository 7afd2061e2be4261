package io.updraft.browser;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A small HTTP server of this host with a few pages, under the same strict policy for contents that a console has. */
final class LocalPages implements AutoCloseable {

    private static final Map<String, String> TYPES =
            Map.of("html", "text/html; charset=utf-8", "js", "text/javascript; charset=utf-8", "csv", "text/csv");

    private final HttpServer server;
    private final Map<String, String> files = new ConcurrentHashMap<>();

    LocalPages() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    /** Adds a file, and returns its address. The ending of its name decides its type. */
    String add(String name, String text) {
        files.put("/" + name, text);
        return "http://localhost:" + server.getAddress().getPort() + "/" + name;
    }

    /** Adds a page with a language, a title, a heading and a module, and returns its address. */
    String addPage(String name, String main, String script) {
        add(name + ".js", script);
        return add(name + ".html", """
                <!doctype html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <title>%1$s</title>
                <link rel="icon" href="data:,">
                <script type="module" src="/%1$s.js"></script>
                </head>
                <body><main><h1>%1$s</h1>%2$s</main></body>
                </html>
                """.formatted(name, main));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String text = files.get(path);
            byte[] body = (text == null ? "no such page\n" : text).getBytes(StandardCharsets.UTF_8);
            String type = TYPES.getOrDefault(path.substring(path.lastIndexOf('.') + 1), "text/plain");
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.getResponseHeaders().set("Content-Security-Policy", "default-src 'self'; img-src 'self' data:");
            exchange.sendResponseHeaders(text == null ? 404 : 200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
