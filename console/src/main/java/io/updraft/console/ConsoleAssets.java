package io.updraft.console;

import io.updraft.http.HttpAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The files of the page, from the class path. Each is read and compressed once. */
final class ConsoleAssets {
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml");

    private static final Pattern OWN = Pattern.compile("[a-z]+\\.(html|js|css|svg)");
    private static final Pattern LIBRARY = Pattern.compile("lib/(uPlot[A-Za-z.]*\\.(js|css))");

    /** Only files of the console itself; no text in it is a script. Styles are set by scripts, which this permits. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

    private static final String LIBRARIES = "/META-INF/resources/webjars/uplot/" + BuildInfo.uplotVersion() + "/dist/";

    private static final HttpAnswer NONE = HttpAnswer.text(404, "no such page\n");

    private final Map<String, HttpAnswer> answers = new ConcurrentHashMap<>();
    /** {@return the file of this name, such as {@code app.js} or {@code lib/uPlot.min.css}} */
    HttpAnswer get(String name) {
        HttpAnswer cached = answers.get(name);
        if (cached != null) {
            return cached;
        }
        var library = LIBRARY.matcher(name);
        String resource = library.matches()
                ? LIBRARIES + library.group(1)
                : OWN.matcher(name).matches() ? "/io/updraft/console/" + name : null;
        HttpAnswer answer = resource == null ? NONE : read(resource);
        if (answer != NONE) {
            answers.put(name, answer);
        }
        return answer;
    }

    private static HttpAnswer read(String resource) {
        try (InputStream in = ConsoleAssets.class.getResourceAsStream(resource)) {
            if (in == null) {
                return NONE;
            }
            String type = TYPES.get(resource.substring(resource.lastIndexOf('.') + 1));
            return HttpAnswer.asset(type, in.readAllBytes())
                    .with("Cache-Control", "no-cache")
                    .with("Content-Security-Policy", POLICY);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
