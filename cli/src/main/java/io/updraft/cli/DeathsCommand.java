package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.base.json.Json;
import io.updraft.cli.view.LineWriter;
import io.updraft.observe.death.DeathDirectory;
import io.updraft.observe.death.Deaths;
import io.updraft.observe.death.Deaths.Death;
import io.updraft.observe.inspection.StateDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the processes that have ended with something left to look at. */
@Command(
        name = "deaths",
        header = "Lists workers and runs that died, the newest first, and why.",
        description = {
            "",
            "Each names its files: what was last seen of the process, and the capsule that a process writes when its"
                    + " heap is full. The last 20 of each are kept. Of a run that was killed, the time is that of its last"
                    + " log line.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class DeathsCommand implements Callable<Integer> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON document, for scripts.")
    private boolean json;

    @Override
    public Integer call() {
        List<Death> deaths = deaths();
        PrintWriter out = new LineWriter(spec.commandLine().getOut());
        if (json) {
            out.println(Json.write(
                    Map.of("deaths", deaths.stream().map(Death::toJson).toList())));
        } else {
            deaths.forEach(death -> lines(death, out));
        }
        out.flush();
        if (deaths.isEmpty()) {
            spec.commandLine().getErr().println("updraft: no process has died");
            spec.commandLine().getErr().flush();
        }
        return ExitCode.OK;
    }

    private static List<Death> deaths() {
        Path state = StateDirectory.path();
        try {
            return Deaths.all(state);
        } catch (IOException e) {
            throw new UserError(ExitCode.FAILED, DeathDirectory.in(state).path() + " cannot be read: " + e, e);
        }
    }

    private static void lines(Death death, PrintWriter out) {
        LocalDateTime time = LocalDateTime.ofInstant(Instant.ofEpochMilli(death.millis()), ZoneId.systemDefault());
        out.println(TIME.format(time) + "  " + death.why());
        if (death.record() != null) {
            out.println("    last seen: " + death.record());
        }
        if (death.capsule() != null) {
            out.println("    capsule: " + death.capsule());
        }
    }
}
