package io.updraft.cli;

import io.updraft.base.json.JsonObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
final class RebalanceCommand extends InspectionCommand {
    private static final Duration REBALANCE_LIMIT = Duration.ofMinutes(10);

    @Parameters(
            arity = "1..*",
            paramLabel = "[NAME] COMPONENT=N",
            completionCandidates = CompletionWords.Names.class,
            hideParamSyntax = true,
            description = "The topology, needed only if several are alive; then components, each with its number of"
                    + " executors.")
    private List<String> words;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description = "The longest wait for messages in flight, in whole seconds. Default:"
                    + " topology.message.timeout.secs.")
    private Duration wait;

    @Override
    String argumentName() {
        return isName(words.get(0)) ? words.get(0) : null;
    }

    private static boolean isName(String word) {
        return !word.contains("=");
    }

    @Override
    public Integer call() {
        JsonObject arguments = JsonObject.of("executors", executors());
        if (wait != null) {
            arguments.put("seconds", wholeSeconds(wait));
        }
        return order("rebalance", arguments, REBALANCE_LIMIT);
    }

    private Map<String, Integer> executors() {
        Map<String, Integer> executors = new LinkedHashMap<>();
        for (String word : words.subList(argumentName() == null ? 0 : 1, words.size())) {
            int equals = word.lastIndexOf('=');
            if (equals < 1) {
                throw notAPair(word);
            }
            try {
                executors.put(word.substring(0, equals), Integer.valueOf(word.substring(equals + 1)));
            } catch (NumberFormatException e) {
                throw notAPair(word);
            }
        }
        if (executors.isEmpty()) {
            throw invalid("no component with its number of executors: add COMPONENT=N");
        }
        return executors;
    }

    private ParameterException notAPair(String word) {
        return invalid("'" + word + "' is not COMPONENT=N, with a whole number N");
    }
}
