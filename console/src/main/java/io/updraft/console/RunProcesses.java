package io.updraft.console;

import io.updraft.base.json.JsonObject;
import io.updraft.base.thread.DaemonThreads;
import io.updraft.observe.inspection.InspectionClient;
import io.updraft.observe.inspection.ProcessRequests;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.inspection.RunDirectory;
import io.updraft.observe.process.WorkerStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/** The processes of a run: this one, which is asked directly, and its workers, which are asked through their sockets. */
final class RunProcesses {
    private static final Duration LOOK_LIMIT = Duration.ofSeconds(3);

    private static final int THREAD_IDLE_SECONDS = 10;

    private final ExecutorService askers = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            THREAD_IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            DaemonThreads.factory("updraft-asker"));
    private final Map<String, RequestHandler> local;
    private final Path sockets;
    private final Supplier<List<WorkerStatus>> workers;
    private final BiPredicate<Long, String> restart;

    RunProcesses(Console.Run run) {
        this.local = run.requests();
        this.sockets = run.sockets();
        this.workers = run.workers();
        this.restart = run.restart();
    }

    /** Asks the process that the member {@code process} names, or this one without that member. */
    JsonObject ask(String request, JsonObject arguments, Duration limit) throws Exception {
        long pid = pid(arguments);
        if (pid == ProcessHandle.current().pid()) {
            return local.get(request).answer(arguments);
        }
        return ask(pid, request, arguments, limit);
    }

    /** Sets the level of a logger in the process that the member {@code process} names, or in all of them without that member. */
    JsonObject setLogLevel(JsonObject arguments, Duration limit) throws Exception {
        List<Object> pids = new ArrayList<>();
        if (arguments.get("process") == null) {
            pids.add(ProcessHandle.current().pid());
            workers.get().forEach(worker -> pids.add(worker.pid()));
        } else {
            pids.add(arguments.get("process"));
        }
        List<Callable<JsonObject>> orders = new ArrayList<>();
        for (Object pid : pids) {
            JsonObject order = new JsonObject(arguments);
            order.put("process", pid);
            orders.add(() -> ask(ProcessRequests.LOG_LEVEL, order, limit));
        }
        JsonObject answer = new JsonObject();
        for (JsonObject each : atTheSameTime(orders)) {
            answer.putAll(each);
        }
        answer.put(
                "message",
                "logger " + answer.get("logger") + " has the level " + answer.get("level") + " for "
                        + answer.get("seconds") + " s in "
                        + (pids.size() == 1 ? "process " + pids.get(0) : pids.size() + " processes"));
        return answer;
    }

    private static long pid(JsonObject arguments) {
        Object process = arguments.get("process");
        if (process == null) {
            return ProcessHandle.current().pid();
        }
        try {
            return Long.parseLong(process.toString());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + process + "' is not the number of a process", e);
        }
    }

    private JsonObject ask(long pid, String request, JsonObject arguments, Duration limit) throws IOException {
        if (workers.get().stream().noneMatch(worker -> worker.pid() == pid)) {
            throw new IllegalArgumentException("process " + pid + " is not of this run");
        }
        if (sockets == null) {
            throw new IllegalArgumentException("workers of this run have no sockets; the log says why");
        }
        try {
            return InspectionClient.ask(RunDirectory.socketIn(sockets, pid), request, arguments, limit);
        } catch (InspectionClient.RefusedRequestException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        } catch (IOException e) {
            throw new IOException("process " + pid + " does not answer (" + e.getMessage() + ")", e);
        }
    }

    /** Describes all processes; one that does not answer has a member {@code error}. */
    JsonObject describe() throws Exception {
        List<JsonObject> processes = new ArrayList<>();
        JsonObject itself = JsonObject.of("state", "up")
                .with(local.get(ProcessRequests.PROCESS).answer(JsonObject.of()));
        processes.add(itself);
        List<Callable<JsonObject>> questions = new ArrayList<>();
        workers.get().forEach(worker -> questions.add(() -> describe(worker)));
        processes.addAll(atTheSameTime(questions));
        return JsonObject.of("processes", processes);
    }

    /** Makes several calls, so that workers that do not answer are waited for once. Throws the first failure when all have ended. */
    private <T> List<T> atTheSameTime(List<Callable<T>> calls) throws Exception {
        List<T> results = new ArrayList<>();
        for (Future<T> call : askers.invokeAll(calls)) {
            try {
                results.add(call.get());
            } catch (ExecutionException e) {
                if (e.getCause() instanceof Exception failure) {
                    throw failure;
                }
                throw e;
            }
        }
        return results;
    }

    private JsonObject describe(WorkerStatus worker) {
        JsonObject process = JsonObject.of("pid", worker.pid())
                .with("role", "worker")
                .with("worker", worker.worker())
                .with("state", worker.state().word())
                .with("restarts", worker.restarts())
                .with("incarnation", worker.restarts() + 1)
                .with("lastEnd", worker.lastEnd())
                .with(
                        "lastEndTime",
                        worker.lastEnd() == null
                                ? null
                                : Instant.ofEpochMilli(worker.lastEndMillis()).toString());
        try {
            process.putAll(ask(worker.pid(), ProcessRequests.PROCESS, JsonObject.of(), LOOK_LIMIT));
        } catch (IOException | IllegalArgumentException e) {
            process.put("error", e.getMessage());
        }
        return process;
    }

    /** Ends the process of a worker, which the run then starts again. The member {@code process} names it. */
    JsonObject restart(JsonObject request) {
        long pid = pid(request);
        WorkerStatus worker = workers.get().stream()
                .filter(each -> each.pid() == pid)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("process " + pid + " is not a worker of this run"));
        Object user = request.get(ConsolePages.USER);
        if (!restart.test(pid, "in the console" + (user == null ? "" : " by " + user))) {
            throw new IllegalArgumentException("process " + pid + " cannot be ended; it may have ended already");
        }
        return JsonObject.of(
                "message",
                "worker " + worker.worker() + " (process " + pid
                        + ") is killed and starts again; its tuples in flight fail, and spouts may replay them");
    }
}
