package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.json.Json;
import io.updraft.base.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Prints the newest dead letters, or orders their replay. */
@Command(
        name = "dead-letters",
        header = "Prints the newest messages that failed too often and were given up, or replays them.",
        description = {
            "",
            "The newest letters of the run have numbers and can be replayed: their spouts emit them once more. If there are"
                    + " none, the letters in the topology's updraft.dead.letter.file are printed.",
            ""
        })
final class DeadLettersCommand extends NamedRunCommand {
    private static final int MOST = 10_000;

    @Option(
            names = "--newest",
            paramLabel = "N",
            defaultValue = "10",
            description = "How many, at most 10000. Default: ${DEFAULT-VALUE}.")
    private int newest;

    @Option(
            names = "--replay",
            paramLabel = "N[,N...]|all",
            description =
                    "Replay the letters with these numbers, or all that can be replayed. A letter is not replayed while"
                            + " its replay is on, nor after it has completed.")
    private String replay;

    @Override
    public Integer call() {
        if (replay != null) {
            return order(
                    "replay",
                    replay.equals("all") ? JsonObject.of("all", true) : JsonObject.of("letters", numbers()),
                    LIMIT);
        }
        if (newest < 1 || newest > MOST) {
            throw invalid("--newest must be from 1 to " + MOST);
        }
        JsonObject answer = run().ask("dead-letters", JsonObject.of("newest", newest), READ_LIMIT);
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

    private List<Long> numbers() {
        try {
            return Arrays.stream(replay.split(",", -1)).map(Long::valueOf).toList();
        } catch (NumberFormatException e) {
            throw invalid("--replay must be 'all' or the numbers of dead letters, separated by commas");
        }
    }

    @SuppressWarnings("unchecked")
    private static String text(Object letter) {
        return letter instanceof Map<?, ?> map ? Json.write((JsonObject) map) : String.valueOf(letter);
    }
}
