package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.json.JsonObject;
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
                    + " writes and commits its complete results. The command returns after the end; Ctrl-C ends only the"
                    + " waiting. A second call with a shorter --wait shortens the drain. Exit code: 1 if there is no end 30 s"
                    + " after --wait.",
            ""
        })
final class KillCommand extends NamedRunCommand {
    private static final int PIPELINE_SECONDS = 60;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description =
                    "The longest wait for tuples in flight, in whole seconds. Default: topology.message.timeout.secs;"
                            + " of a pipeline, which is not cut short, 60s.")
    private Duration wait;

    @Override
    public Integer call() throws InterruptedException {
        JsonObject arguments = new JsonObject();
        if (wait != null) {
            arguments.put("seconds", wholeSeconds(wait));
        }
        ChosenRun run = run();
        JsonObject answer = run.ask("kill", arguments, LIMIT);
        if (!isJson()) {
            out().println(answer.get("message"));
            out().flush();
        }
        JsonObject end = new KillWait(run, answer, err()).await(Duration.ofSeconds(seconds(answer)));
        if (isJson()) {
            printJson(new JsonObject(answer).with(end));
        } else {
            out().println(end.get("end"));
            out().flush();
        }
        return ExitCode.OK;
    }

    private int seconds(JsonObject answer) {
        if (answer.get("seconds") instanceof Number seconds) {
            return seconds.intValue();
        }
        return wait == null ? PIPELINE_SECONDS : wholeSeconds(wait);
    }
}
