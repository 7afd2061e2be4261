package io.updraft.cli.inspection;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.observe.inspection.ProcessRequests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
public final class StackCommand extends InspectionCommand {
    private static final Duration STACK_LIMIT = Duration.ofSeconds(15);

    @Parameters(arity = "0..1", paramLabel = "COMPONENT", description = "Only threads that run code of this component.")
    private String component;

    @Option(names = "--all", description = "All threads, also those of the JVM and of Updraft that wait for work.")
    private boolean all;

    @Override
    public Integer call() {
        ChosenRun run = run();
        List<Map<String, Object>> processes = new ArrayList<>();
        for (long pid : run.processes()) {
            processes.add(threads(run, pid));
        }
        if (isJson()) {
            printJson(Map.of("processes", processes));
        } else {
            StackText text = new StackText(component, all);
            processes.forEach(process -> text.lines(process).forEach(out()::println));
            out().flush();
        }
        return processes.stream().allMatch(process -> process.containsKey("error")) ? ExitCode.FAILED : ExitCode.OK;
    }

    /** A process that does not answer does not hide the others. */
    private static Map<String, Object> threads(ChosenRun run, long pid) {
        try {
            return run.ask(pid, ProcessRequests.THREADS, Map.of(), STACK_LIMIT);
        } catch (UserError e) {
            Map<String, Object> failed = new LinkedHashMap<>();
            failed.put("pid", pid);
            failed.put("error", e.getMessage());
            return failed;
        }
    }
}
