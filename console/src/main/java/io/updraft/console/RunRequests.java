package io.updraft.console;

import io.updraft.base.json.JsonObject;
import io.updraft.observe.inspection.ProcessRequests;
import io.updraft.observe.inspection.RequestHandler;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The requests of the console of a run: those that the process answers to the second terminal, to any process of the run, and what
 * the page needs besides.
 */
final class RunRequests {
    /** Less than the page waits, so that it says which process does not answer. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final Duration HEAP_LIMIT = Duration.ofMinutes(30);

    /** Time for writing a profile, beyond its length. */
    private static final Duration WRITE_LIMIT = Duration.ofMinutes(2);

    private static final String FILE = "file";

    private final RunProcesses processes;
    private final DownloadDirectory downloads;

    private RunRequests(RunProcesses processes, DownloadDirectory downloads) {
        this.processes = processes;
        this.downloads = downloads;
    }

    /**
     * Returns the handlers.
     *
     * @param run what this process and its workers answer
     * @param state the directory in which the deaths of processes are recorded
     * @param downloads the files that requests make
     */
    static Map<String, RequestHandler> handlers(Console.Run run, Path state, DownloadDirectory downloads) {
        RunRequests requests = new RunRequests(new RunProcesses(run), downloads);
        Map<String, RequestHandler> handlers = new HashMap<>(run.requests());
        handlers.remove(ProcessRequests.PROCESS);
        handlers.put("processes", request -> requests.processes.describe());
        DeathAnswers deaths = new DeathAnswers(
                state,
                ProcessHandle.current().pid(),
                ManagementFactory.getRuntimeMXBean().getStartTime());
        handlers.put("deaths", request -> deaths.list());
        handlers.put("death-file", deaths::text);
        for (String command : List.of(ProcessRequests.THREADS, ProcessRequests.COMPONENT_HEAP, ProcessRequests.LOG)) {
            handlers.put(command, request -> requests.processes.ask(command, request, LIMIT));
        }
        handlers.put(ProcessRequests.LOG_LEVEL, request -> requests.processes.setLogLevel(request, LIMIT));
        if (run.restart() != null) {
            handlers.put("restart-worker", request -> requests.processes.restart(request));
        }
        handlers.put(ProcessRequests.HEAP, requests::heap);
        handlers.put(ProcessRequests.PROFILE, requests::profile);
        handlers.put("files", request -> downloads.list());
        handlers.put("delete-file", request -> downloads.delete(request.text("name")));
        return handlers;
    }

    private JsonObject heap(JsonObject request) throws Exception {
        Path file = downloads.next("heap-" + process(request), ".hprof");
        JsonObject order = new JsonObject(request);
        order.put(FILE, file.toString());
        return withLinks(processes.ask(ProcessRequests.HEAP, order, HEAP_LIMIT), file);
    }

    private JsonObject profile(JsonObject request) throws Exception {
        String event = request.text("event");
        Object component = request.get("component");
        String name = "flame-" + event + "-" + process(request) + (component == null ? "" : "-" + component);
        Path file = downloads.next(name.substring(0, Math.min(80, name.length())), ".html");
        JsonObject order = new JsonObject(request);
        order.put(FILE, file.toString());
        Duration time = Duration.ofMillis(request.whole("millis"));
        return withLinks(processes.ask(ProcessRequests.PROFILE, order, time.plus(WRITE_LIMIT)), file);
    }

    private static String process(JsonObject request) {
        Object process = request.get("process");
        return String.valueOf(process == null ? ProcessHandle.current().pid() : process);
    }

    private static JsonObject withLinks(JsonObject answer, Path file) throws IOException {
        JsonObject all = new JsonObject(answer);
        if (Files.exists(file)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            all.putAll(DownloadDirectory.links(file.getFileName().toString()));
        }
        return all;
    }
}
