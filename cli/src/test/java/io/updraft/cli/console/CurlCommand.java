package io.updraft.cli.console;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the command {@code curl} as Storm's documents have it, in one or several lines. */
final class CurlCommand {
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

    private final HttpRequest.Builder request = HttpRequest.newBuilder();
    private String method = "GET";
    private String body;
    private boolean typed;

    private CurlCommand() {}

    /** {@return the request that the command makes} */
    static HttpRequest request(String command) {
        Iterator<String> words = words(command).iterator();
        if (!words.next().equals("curl")) {
            throw new IllegalArgumentException("no curl: " + command);
        }
        CurlCommand read = new CurlCommand();
        while (words.hasNext()) {
            read.take(words.next(), words);
        }
        return read.build();
    }

    private static List<String> words(String command) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(command);
        while (word.find()) {
            words.add(word.group(1) != null ? word.group(1) : word.group(2) != null ? word.group(2) : word.group(3));
        }
        return words;
    }

    private void take(String word, Iterator<String> next) {
        switch (word) {
            case "-i" -> {} // Prints the headers of the answer.
            case "-b", "-c" -> next.next(); // A file of cookies; the API sets none.
            case "-X" -> method = next.next();
            case "-H" -> header(next.next());
            case "-d" -> body = next.next();
            default -> {
                if (word.startsWith("-")) {
                    throw new IllegalArgumentException("unknown option of curl: " + word);
                }
                request.uri(URI.create(word));
            }
        }
    }

    private void header(String header) {
        String[] sides = header.split(":\\s*", 2);
        request.header(sides[0], sides[1]);
        typed |= sides[0].equalsIgnoreCase("Content-Type");
    }

    private HttpRequest build() {
        if (body == null) {
            return request.method(method, BodyPublishers.noBody()).build();
        }
        if (!typed) {
            request.header("Content-Type", "application/x-www-form-urlencoded");
        }
        return request.method(method.equals("GET") ? "POST" : method, BodyPublishers.ofString(body))
                .build();
    }
}
