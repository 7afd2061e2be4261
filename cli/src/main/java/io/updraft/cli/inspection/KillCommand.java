package io.updraft.cli.inspection;

import io.updraft.base.json.JsonObject;
import io.updraft.cli.run.DurationConverter;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Ends a topology or a pipeline in order. */
@Command(
        name = "kill",
        header = "Ends a topology or a pipeline in order, as Ctrl-C in its terminal does.",
        description = {
            "",
            "A topology stops emitting and drains its tuples in flight; its run ends with its last topology. A pipeline"
                    + " writes and commits its complete results. A second call with a shorter --wait shortens the wait.",
            ""
        })
public final class KillCommand extends InspectionCommand {
    @Option(
            names = "--wait",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "The longest wait for tuples in flight, in whole seconds. Default: topology.message.timeout.secs.")
    private Duration wait;

    @Override
    public Integer call() {
        JsonObject arguments = new JsonObject();
        if (wait != null) {
            arguments.put("seconds", wholeSeconds(wait));
        }
        return order("kill", arguments, LIMIT);
    }
}
