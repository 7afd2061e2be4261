package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.json.JsonObject;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the figures of the last hour. */
@Command(
        name = "history",
        header = "Prints what a run did in the last hour: rates, busy shares, queues and latencies.",
        description = {
            "",
            "The run keeps one sample a second. A row is a step: rates and shares are means, queues and latencies are the "
                    + "largest value, errors are sums. A line with '>' says what has moved, and why.",
            ""
        })
final class HistoryCommand extends InspectionCommand {
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final int ROWS = 60;

    /** Lengths of steps that divide a minute or an hour, seconds. */
    private static final List<Integer> STEPS = List.of(1, 2, 5, 10, 15, 20, 30, 60);

    @Parameters(
            arity = "0..1",
            paramLabel = "COMPONENT",
            completionCandidates = CompletionWords.Components.class,
            description = "The component whose figures are printed. Default: totals of all components.")
    private String component;

    @Option(
            names = "--worker",
            paramLabel = "N",
            description = "Only this worker process: its heap, CPU time and garbage collections.")
    private Integer worker;

    @Option(
            names = "--last",
            paramLabel = "TIME",
            defaultValue = "10m",
            description = "How far back, from 1s to 1h. Default: ${DEFAULT-VALUE}.")
    private Duration last;

    @Option(
            names = "--step",
            paramLabel = "TIME",
            description = "The time of a row, in whole seconds. Default: about a sixtieth of --last.")
    private Duration step;

    @Option(
            names = "--moves",
            description = "Print only what has moved: executors, workers and partitions, each with the reason.")
    private boolean moves;

    @Override
    public Integer call() {
        int lastSeconds = wholeSeconds(last);
        if (lastSeconds < 1 || last.compareTo(LONGEST) > 0) {
            throw invalid("--last must be from 1s to 1h");
        }
        if (step != null && (step.isZero() || step.compareTo(last) > 0 || step.toMillis() % 1_000 != 0)) {
            throw invalid("--step must be whole seconds, from 1s to the time of --last");
        }
        if (component != null && worker != null) {
            throw invalid("give a component or --worker, not both");
        }
        int stepSeconds = step == null ? stepFor(lastSeconds) : wholeSeconds(step);
        JsonObject arguments = JsonObject.of("lastSeconds", lastSeconds).with("stepSeconds", stepSeconds);
        if (component != null) {
            arguments.put("component", component);
        }
        if (worker != null) {
            arguments.put("worker", worker);
        }
        JsonObject answer = run().ask("history", arguments, READ_LIMIT);
        if (isJson()) {
            printJson(answer);
            return ExitCode.OK;
        }
        HistoryText text = new HistoryText(ZoneId.systemDefault());
        ChosenRun.topologies(answer).stream()
                .flatMap(topology -> (moves ? text.moves(topology) : text.lines(topology)).stream())
                .forEach(out()::println);
        out().flush();
        return ExitCode.OK;
    }

    private static int stepFor(int lastSeconds) {
        return STEPS.stream()
                .filter(seconds -> seconds * ROWS >= lastSeconds)
                .findFirst()
                .orElse(STEPS.get(STEPS.size() - 1));
    }
}
