package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.base.json.JsonObject;
import io.updraft.observe.inspection.ProcessRequests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the threads of a run. */
@Command(
        name = "stack",
        header = "Prints what the threads of a run do: their components, stacks, locks and deadlocks.",
        description = {
            "",
            "Each process of the run answers for itself, also when the topology hangs. Threads of components come with"
                    + " their stacks; a thread that waits for a lock names the thread that holds it.",
            ""
        },
        optionListHeading = "%nOptions:%n")
final class StackCommand extends InspectionCommand {
    private static final Duration STACK_LIMIT = Duration.ofSeconds(15);

    @Parameters(
            arity = "0..1",
            paramLabel = "COMPONENT",
            completionCandidates = CompletionWords.Components.class,
            description = "Only threads that run code of this component.")
    private String component;

    @Option(names = "--all", description = "All threads, also those of the JVM and of Updraft that wait for work.")
    private boolean all;

    @Override
    public Integer call() {
        ChosenRun run = run();
        List<JsonObject> processes = new ArrayList<>();
        for (long pid : run.processes()) {
            processes.add(threads(run, pid));
        }
        if (component != null) {
            UnknownComponent.check(component, processes);
        }
        if (isJson()) {
            printJson(JsonObject.of("processes", processes));
        } else {
            StackText text = new StackText(component, all);
            processes.forEach(process -> text.lines(process).forEach(out()::println));
            out().flush();
        }
        return processes.stream().allMatch(process -> process.containsKey("error")) ? ExitCode.FAILED : ExitCode.OK;
    }

    /** A process that does not answer does not hide the others. */
    private static JsonObject threads(ChosenRun run, long pid) {
        try {
            return run.ask(pid, ProcessRequests.THREADS, JsonObject.of(), STACK_LIMIT);
        } catch (UserError e) {
            return JsonObject.of("pid", pid).with("error", e.getMessage());
        }
    }
}
