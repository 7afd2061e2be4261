package io.updraft.console;

import io.updraft.base.json.JsonObject;
import io.updraft.console.access.ConsolePorts;
import io.updraft.console.access.UiSettings;
import io.updraft.http.HttpPort;
import io.updraft.http.HttpRoute;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.inspection.StateDirectory;
import io.updraft.observe.metrics.MetricsSource;
import io.updraft.observe.process.WorkerStatus;
import io.updraft.rest.NimbusSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The console of this process in the browser. */
public final class Console implements AutoCloseable {
    private final HttpPort port;
    private final ConsoleEnd end;

    private Console(HttpPort port, ConsoleEnd end) {
        this.port = port;
        this.end = end;
    }

    /**
     * A run that the console shows.
     *
     * @param command the command: {@code run} or {@code aggregate}
     * @param program what is run, in a few words
     * @param requests what this process answers
     * @param sockets the directory of the workers' sockets; null if there is none
     * @param workers gives the state of all workers
     * @param restart restarts the worker whose process is given, in the name of somebody, and tells whether there is one; null if
     *     topologies run in this process
     * @param nimbus answers Storm UI's REST API; null without one
     * @param metrics the figures and the health of the run
     */
    public record Run(
            String command,
            String program,
            Map<String, RequestHandler> requests,
            Path sockets,
            Supplier<List<WorkerStatus>> workers,
            BiPredicate<Long, String> restart,
            NimbusSource nimbus,
            MetricsSource metrics) {}

    /**
     * What a console shows that is not a run.
     *
     * @param kind what it is, for the page, such as {@code cluster}
     * @param program what is shown, in a few words
     * @param handlers answer the requests of the page
     * @param nimbus answers Storm UI's REST API; null without one
     * @param metrics the figures and the health of a run; null if this is none
     */
    public record Content(
            String kind,
            String program,
            Map<String, RequestHandler> handlers,
            NimbusSource nimbus,
            MetricsSource metrics) {}

    /**
     * Opens the console of a run.
     *
     * @param settings where it listens, and for whom
     * @param conf the configuration that may name a file with passwords
     * @param run what it shows
     * @param lines takes the lines for the user: the address, and warnings
     * @return the console, which may be switched off
     * @throws IOException when a port that the user asks for cannot be opened; the message is one line for users
     */
    public static Console open(UiSettings settings, Map<String, Object> conf, Run run, Consumer<String> lines)
            throws IOException {
        Path state = StateDirectory.path();
        DownloadDirectory downloads = new DownloadDirectory(state.resolve("console"));
        Map<String, RequestHandler> handlers = RunRequests.handlers(run, state, downloads);
        Content content = new Content(run.command(), run.program(), handlers, run.nimbus(), run.metrics());
        return open(settings, conf, content, downloads, lines);
    }

    /**
     * Opens a console.
     *
     * @param settings where it listens, and for whom
     * @param conf the configuration that may name a file with passwords
     * @param content what it shows
     * @param lines takes the lines for the user: the address, and warnings
     * @return the console, which may be switched off
     * @throws IOException when a port that the user asks for cannot be opened; the message is one line for users
     */
    public static Console open(UiSettings settings, Map<String, Object> conf, Content content, Consumer<String> lines)
            throws IOException {
        Path state = StateDirectory.path();
        return open(settings, conf, content, new DownloadDirectory(state.resolve("console")), lines);
    }

    private static Console open(
            UiSettings settings,
            Map<String, Object> conf,
            Content content,
            DownloadDirectory downloads,
            Consumer<String> lines)
            throws IOException {
        JsonObject session = JsonObject.of("kind", content.kind())
                .with("program", content.program())
                .with("version", BuildInfo.version())
                .with("host", hostName())
                .with("pid", ProcessHandle.current().pid())
                .with("readOnly", settings.readOnly());
        ConsoleEnd end = new ConsoleEnd();
        Map<String, HttpRoute> routes = ConsolePages.routes(session, content.handlers(), downloads, end);
        if (content.nimbus() != null && settings.enabled()) {
            routes.put(StormApiPages.PATH, StormApiPages.route(content.nimbus(), conf, settings.readOnly()));
        }
        if (content.metrics() != null) {
            routes.putAll(MetricsPages.routes(content.metrics()));
        }
        Optional<HttpPort> opened = ConsolePorts.open(settings, conf, routes, lines);
        return new Console(opened.orElse(null), end);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    /**
     * Tells the pages that this process ends. Waits for about a second if somebody looks at one.
     *
     * @param why what has ended it, in one line
     */
    public void ends(String why) {
        if (port != null) {
            end.tell(why);
        }
    }

    @Override
    public void close() {
        if (port != null) {
            port.close();
        }
    }
}
