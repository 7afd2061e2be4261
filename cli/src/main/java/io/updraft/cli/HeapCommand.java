package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.base.json.JsonObject;
import io.updraft.observe.inspection.ProcessRequests;
import io.updraft.observe.inspection.StateDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes heap dumps. */
@Command(
        name = "heap",
        header = "Writes a heap dump of each process of a run, or says what each component holds.",
        description = {
            "",
            "A process stands still while its dump is written, some seconds per GB. No file is overwritten."
                    + " --by-component stops nothing: it estimates what the instances of the components hold, windows and"
                    + " state included.",
            ""
        })
final class HeapCommand extends NamedRunCommand {
    private static final Duration HEAP_LIMIT = Duration.ofMinutes(30);
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");
    private static final String SUFFIX = ".hprof";

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "The file, which must end with .hprof. With several processes, their numbers are added to its"
                    + " name. Default: a new file in the directory of heap dumps.")
    private Path file;

    @Option(names = "--process", paramLabel = "PID", description = "Only this process of the run, such as a worker.")
    private Long process;

    @Option(
            names = "--by-component",
            description = "Write no dump; print what each component holds, by field, as an estimate.")
    private boolean byComponent;

    @Override
    public Integer call() {
        if (byComponent && file != null) {
            throw invalid("--by-component writes no file: omit -o");
        }
        if (file != null && !file.toString().endsWith(SUFFIX)) {
            throw invalid("the name of a heap dump must end with " + SUFFIX + ": " + file);
        }
        ChosenRun run = run();
        List<Long> processes = run.processes();
        if (process != null && !processes.contains(process)) {
            throw new UserError("process " + process + " is not of this run; its processes are " + processes, null);
        }
        List<Long> chosen = process == null ? processes : List.of(process);
        if (byComponent) {
            return printComponents(chosen.stream()
                    .map(pid -> run.ask(pid, ProcessRequests.COMPONENT_HEAP, JsonObject.of(), LIMIT))
                    .toList());
        }
        List<JsonObject> dumps = new ArrayList<>();
        for (long pid : chosen) {
            JsonObject dump = run.ask(
                    pid,
                    ProcessRequests.HEAP,
                    JsonObject.of("file", target(pid, chosen.size() > 1).toString()),
                    HEAP_LIMIT);
            dumps.add(dump);
            if (!isJson()) {
                out().println("process " + pid + ": " + dump.get("file") + " (" + dump.get("bytes") + " bytes, "
                        + dump.get("millis") + " ms)");
                out().flush();
            }
        }
        if (isJson()) {
            printJson(JsonObject.of("dumps", dumps));
        }
        return ExitCode.OK;
    }

    private int printComponents(List<JsonObject> processes) {
        if (isJson()) {
            printJson(JsonObject.of("processes", processes));
        } else {
            processes.forEach(process -> HeldText.lines(process).forEach(out()::println));
            out().flush();
        }
        return ExitCode.OK;
    }

    private Path target(long pid, boolean several) {
        if (file == null) {
            return directory().resolve("updraft-" + LocalDateTime.now().format(STAMP) + "-" + pid + SUFFIX);
        }
        Path absolute = file.toAbsolutePath();
        String name = absolute.getFileName().toString();
        return several
                ? absolute.resolveSibling(name.substring(0, name.length() - SUFFIX.length()) + "-" + pid + SUFFIX)
                : absolute;
    }

    private static Path directory() {
        Path directory = StateDirectory.path().resolve("heapdumps").toAbsolutePath();
        try {
            return StateDirectory.ownersOnly(directory);
        } catch (IOException e) {
            throw new UserError(directory + " cannot be created: " + e.getMessage() + "; name a file with -o", e);
        }
    }
}
