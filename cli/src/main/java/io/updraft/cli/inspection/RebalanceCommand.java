package io.updraft.cli.inspection;

import io.updraft.base.json.JsonObject;
import io.updraft.cli.run.DurationConverter;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes the numbers of executors of components. */
@Command(
        name = "rebalance",
        header = "Changes the numbers of executors of components while the topology runs.",
        description = {
            "",
            "A component gets no more executors than it has tasks. Returns when the change is complete. In worker"
                    + " processes, the topology is drained and its workers are replaced.",
            ""
        })
public final class RebalanceCommand extends InspectionCommand {
    private static final Duration REBALANCE_LIMIT = Duration.ofMinutes(10);

    @Parameters(arity = "1..*", paramLabel = "COMPONENT=N", description = "A component and its number of executors.")
    private Map<String, Integer> executors;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "The longest wait for messages in flight, in whole seconds. Default:"
                    + " topology.message.timeout.secs.")
    private Duration wait;

    @Override
    public Integer call() {
        JsonObject arguments = JsonObject.of("executors", executors);
        if (wait != null) {
            arguments.put("seconds", wholeSeconds(wait));
        }
        return order("rebalance", arguments, REBALANCE_LIMIT);
    }
}
