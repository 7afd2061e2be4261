package io.updraft.cli.inspection;

import io.updraft.cli.run.ExitCode;
import io.updraft.cluster.inspection.InspectionJson;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the newest dead letters. */
@Command(
        name = "dead-letters",
        header = "Prints the newest messages that failed too often and were given up.",
        description = {"", "They are read from the topology's updraft.dead.letter.file.", ""})
public final class DeadLettersCommand extends InspectionCommand {
    private static final int MOST = 10_000;

    @Option(
            names = "--newest",
            paramLabel = "N",
            defaultValue = "10",
            description = "How many, at most 10000. Default: ${DEFAULT-VALUE}.")
    private int newest;

    @Override
    public Integer call() {
        if (newest < 1 || newest > MOST) {
            throw invalid("--newest must be from 1 to " + MOST);
        }
        Map<String, Object> answer = run().ask("dead-letters", Map.of("newest", newest), LIMIT);
        if (isJson()) {
            printJson(answer);
            return ExitCode.OK;
        }
        if (answer.get("letters") instanceof List<?> letters) {
            letters.forEach(letter -> out().println(text(letter)));
        }
        out().flush();
        err().println("updraft: " + answer.get("message"));
        err().flush();
        return ExitCode.OK;
    }

    @SuppressWarnings("unchecked")
    private static String text(Object letter) {
        return letter instanceof Map<?, ?> map
                ? InspectionJson.write((Map<String, Object>) map)
                : String.valueOf(letter);
    }
}
