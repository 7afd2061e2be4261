package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** Prints the failures of user code. */
@Command(
        name = "errors",
        header = "Prints the failures of user code: how many in each component, and the newest 64.",
        description = {
            "",
            "Of a pipeline: the newest records that could not be used, late rows and groups that overflow.",
            "Stack traces are in the log, which 'updraft ps' names.",
            ""
        })
final class ErrorsCommand extends NamedRunCommand {
    @Override
    public Integer call() {
        JsonObject answer = run().ask("errors", JsonObject.of(), READ_LIMIT);
        if (isJson()) {
            printJson(answer);
            return ExitCode.OK;
        }
        ChosenRun.topologies(answer).forEach(this::print);
        out().flush();
        return ExitCode.OK;
    }

    private void print(JsonObject topology) {
        Map<?, ?> counts = topology.get("counts") instanceof Map<?, ?> map ? map : Map.of();
        out().println(topology.get("name")
                + (Boolean.TRUE.equals(topology.get("ended")) ? " (ended): " : ": ")
                + (counts.isEmpty()
                        ? "no errors"
                        : "errors: "
                                + counts.entrySet().stream()
                                        .map(count -> count.getKey() + " " + count.getValue())
                                        .collect(Collectors.joining(", "))));
        if (topology.get("newest") instanceof List<?> newest) {
            newest.forEach(error -> out().println("  " + ((Map<?, ?>) error).get("line")));
        }
    }
}
