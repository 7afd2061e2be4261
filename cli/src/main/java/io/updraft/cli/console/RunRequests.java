package io.updraft.cli.console;

import io.updraft.cluster.coordinator.WorkerStatus;
import io.updraft.cluster.death.DeathDirectory;
import io.updraft.cluster.death.Deaths;
import io.updraft.cluster.inspection.ProcessRequests;
import io.updraft.cluster.inspection.RequestHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The requests of the console of a run: those that the process answers to the second terminal, to any process of the run, and what
 * the page needs besides.
 */
public final class RunRequests {
    private static final Duration LIMIT = Duration.ofSeconds(20);
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
     * @param own what this process answers
     * @param sockets the directory of the workers' sockets; null if there is none
     * @param workers gives the state of all workers
     * @param state the directory of logs, deaths and files
     */
    static Map<String, RequestHandler> handlers(
            Map<String, RequestHandler> own,
            Path sockets,
            Supplier<List<WorkerStatus>> workers,
            Path state,
            DownloadDirectory downloads) {
        RunRequests requests = new RunRequests(new RunProcesses(own, sockets, workers), downloads);
        Map<String, RequestHandler> handlers = new HashMap<>(own);
        handlers.remove(ProcessRequests.PROCESS);
        handlers.put("processes", request -> requests.processes.describe());
        handlers.put(
                "deaths",
                request -> Map.of(
                        "deaths",
                        Deaths.in(DeathDirectory.in(state)).stream()
                                .map(Deaths.Death::toJson)
                                .toList()));
        for (String asked : List.of(
                ProcessRequests.THREADS,
                ProcessRequests.COMPONENT_HEAP,
                ProcessRequests.LOG,
                ProcessRequests.LOG_LEVEL)) {
            handlers.put(asked, request -> requests.processes.ask(asked, request, LIMIT));
        }
        handlers.put(ProcessRequests.HEAP, requests::heap);
        handlers.put(ProcessRequests.PROFILE, requests::profile);
        handlers.put("files", request -> downloads.list());
        handlers.put("delete-file", request -> downloads.delete(ProcessRequests.text(request, "name")));
        return handlers;
    }

    private Map<String, Object> heap(Map<String, Object> request) throws Exception {
        Path file = downloads.next("heap-" + process(request), ".hprof");
        Map<String, Object> order = new LinkedHashMap<>(request);
        order.put(FILE, file.toString());
        return withLinks(processes.ask(ProcessRequests.HEAP, order, HEAP_LIMIT), file);
    }

    private Map<String, Object> profile(Map<String, Object> request) throws Exception {
        String event = ProcessRequests.text(request, "event");
        Object component = request.get("component");
        String what = "flame-" + event + "-" + process(request) + (component == null ? "" : "-" + component);
        Path file = downloads.next(what.substring(0, Math.min(80, what.length())), ".html");
        Map<String, Object> order = new LinkedHashMap<>(request);
        order.put(FILE, file.toString());
        Duration time = Duration.ofMillis(ProcessRequests.number(request, "millis"));
        return withLinks(processes.ask(ProcessRequests.PROFILE, order, time.plus(WRITE_LIMIT)), file);
    }

    private static String process(Map<String, Object> request) {
        Object process = request.get("process");
        return String.valueOf(process == null ? ProcessHandle.current().pid() : process);
    }

    private static Map<String, Object> withLinks(Map<String, Object> answer, Path file) {
        Map<String, Object> all = new LinkedHashMap<>(answer);
        if (Files.exists(file)) {
            all.putAll(DownloadDirectory.links(file.getFileName().toString()));
        }
        return all;
    }
}
