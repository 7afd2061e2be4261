package io.updraft.cli;

import io.updraft.base.json.JsonObject;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Switches which tuples go to the event logger. */
@Command(
        name = "debug",
        header = "Sends tuples that a component emits to the topology's event logger.",
        description = {
            "",
            "The topology needs an event logger: start it with topology.eventlogger.executors above 0.",
            ""
        })
final class DebugCommand extends InspectionCommand {
    @Parameters(
            paramLabel = "COMPONENT",
            completionCandidates = CompletionWords.Components.class,
            description = "The component whose emitted tuples are logged.")
    private String component;

    @Option(
            names = "--percent",
            paramLabel = "N",
            defaultValue = "10",
            description = "The share of tuples, from 0 to 100. Default: ${DEFAULT-VALUE}.")
    private double percent;

    @Option(names = "--off", description = "Log no tuples of the component any more.")
    private boolean off;

    @Override
    public Integer call() {
        if (!(percent >= 0 && percent <= 100)) {
            throw invalid("--percent must be from 0 to 100");
        }
        JsonObject arguments =
                JsonObject.of("component", component).with("percent", percent).with("on", !off);
        return order("debug", arguments, LIMIT);
    }
}
