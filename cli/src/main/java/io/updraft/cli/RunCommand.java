package io.updraft.cli;

import io.updraft.cli.run.ProgramFinder;
import io.updraft.cli.run.RunRequest;
import io.updraft.cli.run.RunRequest.TopologyProgram;
import io.updraft.cli.run.TopologyRun;
import io.updraft.cli.view.ViewMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "run",
        header = "Runs a program that submits Storm topologies.",
        description = {
            "",
            "Calls the program's 'main' in this process. Topologies that 'main' submits with StormSubmitter run here"
                    + " until the program kills them, the time of --for is over, or Ctrl-C.",
            "",
            "Ctrl-C (or SIGTERM) drains: spouts stop, tuples in flight complete within the limit of --drain, then"
                    + " cleanup() and close() are called. A second Ctrl-C stops at once.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        optionListHeading = "%nOptions (before the program):%n",
        footer = {
            "",
            "The live view has one row per component, in the order of the streams. '>' marks the bottleneck, '!' a"
                    + " component with a stuck call, a hot key or failures. In a low window the bottleneck, components in"
                    + " trouble, spouts and the busiest bolts keep their rows. In a high one, these in trouble have a row"
                    + " 'task N' for each executor, by its first task.",
            "  .../s     tuples per second; ack/s and fail/s of a spout count tuple trees",
            "  busy      share of time that the executors spend in the component's code",
            "  wait      bolt: tuples queued; spout: tuple trees in flight",
            "  execute   time in execute() or nextTuple(), median and 99th percentile",
            "  complete  time from a spout's emit to the completion of the tuple tree",
            "  since the start  counts of all tuples; columns from some 110 characters on, else a line",
            "With --workers, counts are sums over all workers, and each percentile is that of the worst worker. Lines"
                    + " that a worker prints begin with its number. When a worker dies, one line says why, and the"
                    + " worker restarts; tuples in flight fail and can be replayed.",
            "",
            "The program's output appears above the live view. The live view draws on standard output; plain lines go"
                    + " to standard error, so that the program's output can be piped.",
            "",
            "Examples:",
            "  updraft run examples/wordcount                 count the words of the book in the jar",
            "  updraft run examples/wordcount ~/texts --out counts.txt",
            "  cat *.txt | updraft run examples/wordcount -",
            "  updraft run my.jar topology.yaml --filter dev.properties",
            "  updraft run --for 60s -c topology.max.spout.pending=5000 my.jar com.acme.Main",
            "  updraft run --config storm.yaml -c updraft.on.error=die my.jar com.acme.Main",
            "  updraft run --workers 3 -c topology.worker.childopts=-Xmx2g my.jar com.acme.Main",
            "  updraft run --nimbus-port 6627                 wait for topologies from Storm's clients",
            "  updraft run --metrics-port 9464 my.jar         serve figures for Prometheus",
            "",
            "Exit codes: 0 success (also Ctrl-C with a complete drain), 1 a topology or the program failed, 2 bad"
                    + " input, 3 tuple trees were still in flight at the limit of --drain, 130 second Ctrl-C."
        })
final class RunCommand implements Callable<Integer> {
    private static final Duration MIN_INTERVAL = Duration.ofMillis(100);

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "PROGRAM",
            arity = "0..1",
            description = "A jar, the directory of a built project, or a topology in YAML (Flux). A directory has one"
                    + " jar, itself or in target/, whose manifest names the main class (Updraft-Main or Main-Class)."
                    + " Optional with --nimbus-port.")
    private String program;

    @Parameters(
            index = "1..*",
            paramLabel = "ARG",
            arity = "0..*",
            description = "For a jar: the main class (default: the manifest's), then the program's arguments; or a"
                    + " .yaml file whose classes are in the jar. For a directory: the program's arguments. For a .yaml"
                    + " file: Flux's options (--filter FILE, --env-filter, --resource, --inactive).")
    private List<String> words = new ArrayList<>();

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "Stop this long after the first topology starts: 500ms, 60s, 5m, 2h. Default: no limit.")
    private Duration limit;

    @Option(
            names = "--drain",
            paramLabel = "TIME",
            defaultValue = "30s",
            description = "Longest wait for tuples in flight at the end: 500ms, 60s, 5m. Default: ${DEFAULT-VALUE}.")
    private Duration drain;

    @Option(
            names = "--view",
            paramLabel = "VIEW",
            completionCandidates = CompletionWords.Views.class,
            defaultValue = "auto",
            description = "live: a table that redraws in place. plain: one line per topology and interval. none: only"
                    + " errors and warnings. auto: live on a terminal, else plain. Default: ${DEFAULT-VALUE}.")
    private ViewMode view;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "1s",
            description = "Time between two updates of the view, at least 100ms. Default: ${DEFAULT-VALUE}.")
    private Duration interval;

    @Mixin
    private TopologyOptions topology = new TopologyOptions();

    @Mixin
    private ServicePortOptions services = new ServicePortOptions();

    @Mixin
    private MetricsPortOptions metrics = new MetricsPortOptions();

    @Mixin
    private UiOptions ui = new UiOptions();

    @Override
    public Integer call() throws InterruptedException {
        if (interval.compareTo(MIN_INTERVAL) < 0) {
            throw invalid("--interval must be at least 100ms");
        }
        if (topology.complaint() != null) {
            throw invalid(topology.complaint());
        }
        if (services.complaint() != null) {
            throw invalid(services.complaint());
        }
        if (metrics.complaint() != null) {
            throw invalid(metrics.complaint());
        }
        if (ui.complaint() != null) {
            throw invalid(ui.complaint());
        }
        return new TopologyRun(new RunRequest(
                        program(),
                        topology.hasWorkers(),
                        topology.config(),
                        limit,
                        drain,
                        view,
                        interval,
                        services.addresses(),
                        metrics.address(),
                        ui.settings()))
                .run();
    }

    private TopologyProgram program() {
        if (program != null) {
            return new ProgramFinder(Path.of(System.getProperty("updraft.home", ""))).find(program, words);
        }
        if (!services.takesSubmissions()) {
            throw invalid("name a program to run, or add --nimbus-port PORT to wait for submissions");
        }
        return null;
    }

    private ParameterException invalid(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
