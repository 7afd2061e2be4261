package io.updraft.plugin;

import io.updraft.cli.UpdraftProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.regex.Pattern;

/** Asks the console of a cluster, as its page does. */
record ConsoleClient(HttpClient client, String address) {
    private static final Pattern ADDRESS = Pattern.compile("updraft: console: (http://localhost:\\d+/).*");

    /** Waits until a process of {@code updraft ui} has printed its address. */
    static ConsoleClient of(UpdraftProcess console) throws InterruptedException {
        return new ConsoleClient(
                HttpClient.newHttpClient(), console.awaitErr(ADDRESS).group(1));
    }

    /** Returns the answer, which may be an error, as JSON. */
    String get(String request) {
        return send(HttpRequest.newBuilder(uri(request)));
    }

    /** Sends an order, and returns the answer, which may be an error. */
    String post(String request, String json) {
        return send(HttpRequest.newBuilder(uri(request))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    private URI uri(String request) {
        return URI.create(address + "console/api/" + request);
    }

    private String send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
