package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.base.json.JsonObject;
import io.updraft.observe.inspection.ProcessRequests;
import io.updraft.observe.profile.ProfileEvent;
import io.updraft.observe.profile.ProfileFormat;
import io.updraft.observe.profile.ProfileOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes profiles. */
@Command(
        name = "profile",
        header = "Writes a flame graph of each process of a run.",
        description = {
            "",
            "async-profiler's library is loaded into the process when its first profile begins. Where it cannot be loaded,"
                    + " the JDK's Flight Recorder is used. A profile ends early when this command is ended. No file is"
                    + " overwritten.",
            ""
        },
        optionListHeading = "%nOptions:%n")
final class ProfileCommand extends InspectionCommand {
    private static final Duration LOOK_LIMIT = Duration.ofSeconds(15);
    private static final Duration WRITE_LIMIT = Duration.ofMinutes(2);
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    @Parameters(
            arity = "0..1",
            paramLabel = "COMPONENT",
            completionCandidates = CompletionWords.Components.class,
            description = "Only stacks with code of this component, found by its classes.")
    private String component;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "How long, 1s to 10m. Default: ${DEFAULT-VALUE}.")
    private Duration time;

    @Option(
            names = "--event",
            paramLabel = "EVENT",
            completionCandidates = CompletionWords.ProfileEvents.class,
            defaultValue = "cpu",
            description =
                    "cpu; alloc: allocated bytes; wall: all threads, also those that wait; lock: time in which threads"
                            + " wait for locks. Default: ${DEFAULT-VALUE}.")
    private String event;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description =
                    "The file: .html for a flame graph, .jfr, or .collapsed for a line for each stack. With several"
                            + " processes, their roles are added to its name. Default: a new .html file in the working"
                            + " directory.")
    private Path file;

    @Option(names = "--worker", paramLabel = "N", description = "Only this worker process.")
    private Long worker;

    @Override
    public Integer call() {
        check();
        ChosenRun run = run();
        List<Process> chosen = choose(processes(run));
        chosen.forEach(process -> refuseExisting(target(process, chosen.size())));
        if (!isJson()) {
            out().println("profiling " + chosen.size() + (chosen.size() == 1 ? " process" : " processes") + " for "
                    + time.toMillis() / 1e3 + " s");
            out().flush();
        }
        List<JsonObject> answers = takeAll(run, chosen);
        if (isJson()) {
            printJson(JsonObject.of("profiles", answers));
        } else {
            print(chosen, answers);
        }
        boolean written = answers.stream().anyMatch(answer -> answer.get("file") != null);
        boolean failed = answers.stream().anyMatch(answer -> answer.containsKey("error"));
        return written && !failed ? ExitCode.OK : ExitCode.FAILED;
    }

    private void check() {
        if (time.compareTo(ProfileOrder.SHORTEST) < 0 || time.compareTo(ProfileOrder.LONGEST) > 0) {
            throw invalid("--for must be 1s to 10m");
        }
        try {
            ProfileEvent.of(event);
            if (file == null) {
                file = Path.of(event + "-" + LocalDateTime.now().format(STAMP) + ProfileFormat.HTML.ending());
            }
            if (ProfileFormat.of(file) == ProfileFormat.JFR && component != null) {
                throw invalid("a .jfr file has the code of all components; name a .html or .collapsed file");
            }
        } catch (IllegalArgumentException e) {
            throw invalid(e.getMessage());
        }
    }

    /** Asks the processes for their roles and components. */
    private static List<Process> processes(ChosenRun run) {
        List<Process> processes = new ArrayList<>();
        for (long pid : run.processes()) {
            JsonObject answer = run.ask(pid, ProcessRequests.PROCESS, JsonObject.of(), LOOK_LIMIT);
            processes.add(new Process(
                    pid,
                    String.valueOf(answer.get("role")),
                    answer.get("worker") instanceof Number number ? number.longValue() : null,
                    answer.get("components") instanceof List<?> components ? components : List.of()));
        }
        return processes;
    }

    private List<Process> choose(List<Process> processes) {
        List<Process> chosen = processes.stream()
                .filter(process -> worker == null || worker.equals(process.worker()))
                .toList();
        if (chosen.isEmpty()) {
            List<Long> workers = processes.stream()
                    .map(Process::worker)
                    .filter(number -> number != null)
                    .sorted()
                    .toList();
            throw new UserError(
                    ExitCode.FAILED,
                    "there is no worker " + worker + "; "
                            + (workers.isEmpty() ? "the run has no workers" : "the workers are " + workers),
                    null);
        }
        return component == null ? chosen : withComponent(chosen);
    }

    private List<Process> withComponent(List<Process> processes) {
        UnknownComponent.check(
                component,
                processes.stream()
                        .map(process -> JsonObject.of("components", process.components()))
                        .toList());
        return processes.stream()
                .filter(process -> process.components().contains(component))
                .toList();
    }

    private Path target(Process process, int processes) {
        Path absolute = file.toAbsolutePath();
        String ending = ProfileFormat.of(file).ending();
        String name = absolute.getFileName().toString();
        return processes == 1
                ? absolute
                : absolute.resolveSibling(
                        name.substring(0, name.length() - ending.length()) + "-" + process.label("-") + ending);
    }

    private static void refuseExisting(Path target) {
        if (Files.exists(target)) {
            throw new UserError(ExitCode.FAILED, target + " exists already; it is not overwritten", null);
        }
    }

    /** All processes are profiled at the same time. */
    private List<JsonObject> takeAll(ChosenRun run, List<Process> chosen) {
        ExecutorService threads = Executors.newFixedThreadPool(chosen.size());
        try {
            return chosen.stream()
                    .map(process -> CompletableFuture.supplyAsync(() -> take(run, process, chosen.size()), threads))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();
        } finally {
            threads.shutdownNow();
        }
    }

    private JsonObject take(ChosenRun run, Process process, int processes) {
        JsonObject order = JsonObject.of("event", event)
                .with("millis", time.toMillis())
                .with("file", target(process, processes).toString());
        if (component != null) {
            order.put("component", component);
        }
        try {
            return run.ask(process.pid(), ProcessRequests.PROFILE, order, time.plus(WRITE_LIMIT));
        } catch (UserError e) {
            return JsonObject.of("pid", process.pid()).with("error", e.getMessage());
        }
    }

    private void print(List<Process> chosen, List<JsonObject> answers) {
        for (int i = 0; i < answers.size(); i++) {
            Process process = chosen.get(i);
            String subject = "process " + process.pid() + " (" + process.label(" ") + "): ";
            if (answers.get(i).containsKey("error")) {
                err().println("updraft: " + subject + answers.get(i).get("error"));
            } else {
                ProfileText.lines(subject, component, answers.get(i)).forEach(out()::println);
            }
        }
        out().flush();
        err().flush();
    }

    /** A process of the run; {@code worker} is null for a process that is no worker. */
    private record Process(long pid, String role, Long worker, List<?> components) {
        String label(String separator) {
            return worker == null ? role : role + separator + worker;
        }
    }
}
