package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.json.Json;
import io.updraft.base.json.JsonObject;
import io.updraft.cli.view.LineWriter;
import io.updraft.observe.inspection.RunDescription;
import io.updraft.observe.inspection.RunDirectory;
import io.updraft.observe.inspection.StateDirectory;
import io.updraft.observe.view.QuantityFormat;
import io.updraft.observe.view.Remark;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the runs of this user on this host. */
@Command(
        name = "ps",
        header = "Lists the runs of this user: topologies, pipelines, worker processes.",
        description = {
            "",
            "Runs that were killed, or that crashed, are listed as ended; the last 20 of these are kept. Exit code: 1"
                    + " if no run is alive.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
final class PsCommand implements Callable<Integer> {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
    private static final int ENDED_KEPT = 20;
    private static final double NANOS_PER_SECOND = 1e9;

    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON document, for scripts.")
    private boolean json;

    @Override
    public Integer call() {
        RunDirectory.prune(StateDirectory.path(), ENDED_KEPT);
        List<JsonObject> runs = RunDirectory.all(StateDirectory.path()).stream()
                .map(PsCommand::describe)
                .toList();
        boolean anyAlive = runs.stream().anyMatch(run -> run.get("alive").equals(true));
        PrintWriter out = new LineWriter(spec.commandLine().getOut());
        if (json) {
            out.println(Json.write(JsonObject.of("runs", runs)));
        } else {
            runs.forEach(run -> lines(run, out));
        }
        out.flush();
        if (!anyAlive) {
            spec.commandLine().getErr().println("updraft: no run is alive");
            spec.commandLine().getErr().flush();
        }
        return anyAlive ? ExitCode.OK : ExitCode.FAILED;
    }

    private static JsonObject describe(RunDirectory run) {
        RunDescription description = run.description();
        JsonObject json = new JsonObject(description.toJson());
        json.put("alive", description.isAlive());
        if (description.isAlive()) {
            try {
                json.put("topologies", ChosenRun.topologies(ChosenRun.state(run)));
            } catch (IOException e) {
                json.put("trouble", "does not answer: " + e.getMessage());
            }
        }
        return json;
    }

    private static void lines(JsonObject run, PrintWriter out) {
        LocalDateTime started = LocalDateTime.ofInstant(
                Instant.ofEpochMilli(((Number) run.get("started")).longValue()), ZoneId.systemDefault());
        boolean alive = run.get("alive").equals(true);
        out.println(run.get("pid") + "  " + run.get("command") + " " + run.get("program") + "  "
                + (alive ? "since " : "ended, was started ") + TIME.format(started) + "  in " + run.get("directory"));
        if (run.get("trouble") != null) {
            out.println("    " + run.get("trouble"));
        }
        ChosenRun.topologies(run).forEach(topology -> {
            out.println("    " + line(topology));
            remarks(topology, out);
        });
        out.println("    log " + run.get("log"));
    }

    /** Prints what is wrong; advice, and what is as it should be, is in the view of {@code top}. */
    private static void remarks(JsonObject topology, PrintWriter out) {
        if (topology.get("remarks") instanceof List<?> remarks) {
            remarks.stream()
                    .map(remark -> (Map<?, ?>) remark)
                    .filter(remark -> !"plain".equals(remark.get("style")))
                    .map(remark -> Remark.line("" + remark.get("label"), "" + remark.get("text")))
                    .forEach(line -> out.println("      " + line));
        }
    }

    private static String line(JsonObject topology) {
        double seconds = ((Number) topology.get("uptimeSeconds")).doubleValue();
        String line = topology.get("name") + "  " + topology.get("state") + " "
                + QuantityFormat.clock((long) (seconds * NANOS_PER_SECOND));
        if (topology.get("text") != null) {
            return line + "  " + topology.get("text");
        }
        return line + "  " + topology.get("components") + " components, " + topology.get("executors") + " executors, "
                + topology.get("inFlight") + " trees in flight, " + topology.get("errors") + " errors"
                + workers(topology);
    }

    private static String workers(JsonObject topology) {
        if (!(topology.get("workers") instanceof List<?> workers) || workers.isEmpty()) {
            return "";
        }
        return workers.stream()
                .map(worker -> (Map<?, ?>) worker)
                .map(worker ->
                        worker.get("worker") + " (process " + worker.get("pid") + ", " + worker.get("state") + ")")
                .collect(Collectors.joining(", ", "; workers ", ""));
    }
}
