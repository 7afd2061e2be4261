package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.json.JsonObject;
import io.updraft.observe.inspection.ProcessRequests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sets the level of a logger. */
@Command(
        name = "log-level",
        header = "Sets the level of a logger in all processes of a run.",
        description = {"", "A worker that restarts has its configured levels again.", ""})
final class LogLevelCommand extends InspectionCommand {
    @Parameters(index = "0", paramLabel = "LOGGER", description = "A logger, such as a package; ROOT for all.")
    private String logger;

    @Parameters(
            index = "1",
            paramLabel = "LEVEL",
            completionCandidates = CompletionWords.LogLevels.class,
            description = "off, fatal, error, warn, info, debug, trace or all; default for the configured level.")
    private String level;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "How long the level holds, in whole seconds. Default: until the run ends.")
    private Duration limit;

    @Override
    public Integer call() {
        ChosenRun run = run();
        JsonObject arguments = JsonObject.of("logger", logger)
                .with("level", level)
                .with("seconds", limit == null ? 0 : wholeSeconds(limit));
        List<JsonObject> answers = new ArrayList<>();
        for (long pid : run.processes()) {
            answers.add(run.ask(pid, ProcessRequests.LOG_LEVEL, arguments, LIMIT));
        }
        if (isJson()) {
            printJson(JsonObject.of("processes", answers));
            return ExitCode.OK;
        }
        for (JsonObject answer : answers) {
            out().println("process " + answer.get("pid") + ": " + answer.get("logger") + " has the level "
                    + answer.get("level") + (limit == null ? "" : " for " + answer.get("seconds") + " s"));
        }
        out().flush();
        return ExitCode.OK;
    }
}
