package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.json.Json;
import io.updraft.base.json.JsonObject;
import io.updraft.cli.view.LineWriter;
import io.updraft.observe.inspection.StateDirectory;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all commands for a run in another process have in common: how the run is chosen, and JSON for scripts. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
abstract class InspectionCommand implements Callable<Integer> {
    /** The longest time that a change of a run's state may take. */
    static final Duration LIMIT = Duration.ofSeconds(60);

    /** The longest time for an answer from samples that the run has. */
    static final Duration READ_LIMIT = Duration.ofSeconds(10);

    @Spec
    private CommandSpec spec;

    @Option(names = "--pid", paramLabel = "N", description = "The run with this process number.")
    private Long pid;

    @Option(
            names = "--run",
            paramLabel = "NAME",
            completionCandidates = CompletionWords.Names.class,
            description = "The run with this topology or pipeline. Needed only if several runs are alive.")
    private String name;

    @Option(names = "--json", description = "Print one JSON document, for scripts.")
    private boolean json;

    /** {@return the name of the topology or pipeline among the arguments; null if there is none} */
    String argumentName() {
        return null;
    }

    final ChosenRun run() {
        String argument = argumentName();
        if (argument != null && name != null && !argument.equals(name)) {
            throw invalid("'" + argument + "' and --run " + name + " are different names: give one");
        }
        return ChosenRun.choose(StateDirectory.path(), pid, argument == null ? name : argument);
    }

    final boolean isJson() {
        return json;
    }

    final PrintWriter out() {
        return new LineWriter(spec.commandLine().getOut());
    }

    final PrintWriter err() {
        return new LineWriter(spec.commandLine().getErr());
    }

    final ParameterException invalid(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    final void printJson(JsonObject document) {
        out().println(Json.write(document));
        out().flush();
    }

    /** Rounds up. */
    static int wholeSeconds(Duration time) {
        return Math.toIntExact(Math.min(Integer.MAX_VALUE, time.plusMillis(999).toSeconds()));
    }

    /** Sends an order, and prints what happened. {@return the exit code} */
    final int order(String request, JsonObject arguments, Duration limit) {
        JsonObject answer = run().ask(request, arguments, limit);
        if (json) {
            printJson(answer);
        } else {
            out().println(answer.get("message"));
            out().flush();
        }
        return ExitCode.OK;
    }
}
