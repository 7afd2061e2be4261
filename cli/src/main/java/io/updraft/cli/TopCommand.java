package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.base.json.JsonObject;
import io.updraft.cli.view.TerminalBlock;
import io.updraft.cli.view.TerminalLine;
import io.updraft.cli.view.TerminalLine.Style;
import io.updraft.cli.view.TerminalSize;
import io.updraft.cli.view.ViewMode;
import io.updraft.observe.signal.Signals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the live view of a run. */
@Command(
        name = "top",
        header = "Shows the live view of a run: rates, busy shares, queues and latencies of its components.",
        description = {
            "",
            "The run samples its topologies once a second; all views show the same samples. Ctrl-C ends only this view.",
            ""
        })
final class TopCommand extends NamedRunCommand {
    private static final long PERIOD_MILLIS = 1_000;

    @Option(names = "--once", description = "Print the view once and exit; the default if the output is no terminal.")
    private boolean once;

    @Override
    public Integer call() throws InterruptedException {
        ChosenRun run = run();
        TerminalSize size = TerminalSize.ask();
        if (isJson()) {
            printJson(JsonObject.of("topologies", ChosenRun.topologies(ask(run, size))));
        } else if (once || !ViewMode.isTerminal()) {
            frame(ask(run, size)).forEach(line -> out().println(line.text()));
            out().flush();
        } else {
            watch(run);
        }
        return ExitCode.OK;
    }

    private static JsonObject ask(ChosenRun run, TerminalSize size) {
        return run.ask(
                "top", JsonObject.of("width", size.columns()).with("height", Math.max(1, size.rows() - 1)), READ_LIMIT);
    }

    private void watch(ChosenRun run) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        for (String signal : List.of("INT", "TERM", "HUP")) {
            Signals.handle(signal, ended::countDown);
        }
        TerminalSize size = TerminalSize.ask();
        TerminalBlock block = new TerminalBlock(System.out, System.getenv("NO_COLOR") == null, size.columns());
        try {
            do {
                size = TerminalSize.ask();
                block.draw(frame(ask(run, size)), size.columns());
            } while (!ended.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS));
        } catch (UserError e) {
            if (run.description().isAlive()) {
                throw e;
            }
            block.close();
            out().println("the run has ended");
            out().flush();
        } finally {
            block.close();
        }
    }

    private static List<TerminalLine> frame(JsonObject answer) {
        List<TerminalLine> lines = new ArrayList<>();
        if (answer.get("frame") instanceof List<?> frame) {
            for (Object line : frame) {
                Map<?, ?> parts = (Map<?, ?>) line;
                lines.add(new TerminalLine(
                        String.valueOf(parts.get("text")), Style.valueOf(String.valueOf(parts.get("style")))));
            }
        }
        return lines;
    }
}
