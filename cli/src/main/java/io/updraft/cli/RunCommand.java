package io.updraft.cli;

import io.updraft.cli.run.Program;
import io.updraft.cli.run.ProgramFinder;
import io.updraft.cli.run.RunRequest;
import io.updraft.cli.run.Session;
import io.updraft.cli.run.UserError;
import io.updraft.cli.view.ViewMode;
import io.updraft.cluster.local.WorkerConf;
import io.updraft.storm.ConfigException;
import io.updraft.storm.StormConfig;
import io.updraft.transport.TransportNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.storm.Config;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code updraft run}. */
@Command(
        name = "run",
        header = "Runs a program that submits Storm topologies.",
        description = {
            "",
            "The program's 'main' is called in this process; what it submits with StormSubmitter runs here, until the"
                    + " program kills its topologies, the time of --for is over, or Ctrl-C.",
            "",
            "Ctrl-C (or SIGTERM) drains: spouts are asked for no more tuples, tuples in flight are completed up to the limit"
                    + " of --drain, and cleanup() and close() are called. A second Ctrl-C stops at once.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        optionListHeading = "%nOptions (before the program):%n",
        footer = {
            "",
            "The live view has a row for each component, in the order of the stream; '>' marks the bottleneck:",
            "  .../s     tuples per second; a spout's acks and fails are tuple trees",
            "  busy      share of the time that its executors spend in the component's code",
            "  wait      tuples queued for a bolt; tuple trees in flight of a spout",
            "  execute   time in execute() or nextTuple(), median and 99th percentile",
            "  complete  time from a spout's emit to the completion of the tuple tree",
            "With --workers, counts are sums over the workers, and percentiles those of the worker where they are worst."
                    + " What workers print is marked with their number. A worker that dies is told of and started again;"
                    + " what was in flight fails and can be replayed.",
            "",
            "What the program prints stays above it. The view draws on standard output when that is a terminal;"
                    + " plain lines go to standard error, so that the program's output can be piped on.",
            "",
            "Examples:",
            "  updraft run examples/wordcount                 the shipped book",
            "  updraft run examples/wordcount ~/texts --out counts.txt",
            "  cat *.txt | updraft run examples/wordcount -",
            "  updraft run my.jar topology.yaml --filter dev.properties",
            "  updraft run --for 60s -c topology.max.spout.pending=5000 my.jar com.acme.Main",
            "  updraft run --config storm.yaml -c updraft.on.error=die my.jar com.acme.Main",
            "  updraft run --workers 3 -c topology.worker.childopts=-Xmx2g my.jar com.acme.Main",
            "  updraft run --nimbus-port 6627                 wait for what Storm's clients submit",
            "",
            "Exit codes: 0 ended as asked (a clean Ctrl-C too), 1 a topology died or the program failed,"
                    + " 2 bad input, 3 the drain's limit came before the last tuple tree, 130 second Ctrl-C."
        })
final class RunCommand implements Callable<Integer> {
    private static final Duration LEAST_INTERVAL = Duration.ofMillis(100);
    private static final int MOST_WORKERS = WorkerConf.MOST_WORKERS;

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "PROGRAM",
            arity = "0..1",
            description = "A jar; the directory of a built project, whose jar in target/ names its main class in the"
                    + " manifest (Updraft-Main or Main-Class); or a topology described in YAML (Flux). With --nimbus-port it"
                    + " may be left out.")
    private String program;

    @Parameters(
            index = "1..*",
            paramLabel = "ARG",
            arity = "0..*",
            description =
                    "For a jar: its main class, then the program's arguments; or a .yaml file whose classes are in the jar."
                            + " For a directory: the program's arguments. For a .yaml file: Flux's options (--filter FILE,"
                            + " --env-filter, --resource, --inactive).")
    private List<String> words = new ArrayList<>();

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "Stop after this time, counted from the first topology: 500ms, 60s, 5m, 2h. Default: no limit.")
    private Duration limit;

    @Option(
            names = {"-c", "--conf"},
            paramLabel = "KEY=VALUE",
            description = "Override a setting, the program's own included; the value is JSON where it parses as JSON."
                    + " Repeatable.")
    private List<String> options = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Settings as in storm.yaml; those of the program and of -c win. Repeatable, the last wins.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--drain",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "30s",
            description = "How long tuples in flight are waited for at the end. Default: ${DEFAULT-VALUE}.")
    private Duration drain;

    @Option(
            names = "--view",
            paramLabel = "VIEW",
            defaultValue = "auto",
            description =
                    "live: redraws in place. plain: one line for each interval. none: nothing but what goes wrong."
                            + " auto: live on a terminal, else plain. Default: ${DEFAULT-VALUE}.")
    private ViewMode view;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "1s",
            description = "Between two looks at the topologies. Default: ${DEFAULT-VALUE}.")
    private Duration interval;

    @Option(
            names = "--loops",
            paramLabel = "N",
            description = "Event loops, that is, cores to use (updraft.loops). Default: all cores.")
    private Integer loops;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Run in N worker processes on this host (topology.workers) instead of in this one. What their"
                    + " JVMs are given: worker.childopts, topology.worker.childopts, topology.worker.gc.childopts.")
    private Integer workers;

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            description = "What carries tuples between workers (updraft.transport.local). Default: netty.")
    private String transport;

    @Mixin
    private ServiceOptions services = new ServiceOptions();

    @Override
    public Integer call() throws InterruptedException {
        if (interval.compareTo(LEAST_INTERVAL) < 0) {
            throw new ParameterException(spec.commandLine(), "--interval must be at least 100ms");
        }
        if (loops != null && loops < 1) {
            throw new ParameterException(spec.commandLine(), "--loops must be at least 1");
        }
        checkWorkers();
        if (services.complaint() != null) {
            throw new ParameterException(spec.commandLine(), services.complaint());
        }
        return new Session(new RunRequest(
                        program(), workers != null, config(), limit, drain, view, interval, services.addresses()))
                .run();
    }

    private Program program() {
        if (program != null) {
            return new ProgramFinder(Path.of(System.getProperty("updraft.home", ""))).find(program, words);
        }
        if (!services.takesSubmissions()) {
            throw new ParameterException(
                    spec.commandLine(), "name a program to run, or say --nimbus-port to wait for submissions");
        }
        return null;
    }

    private void checkWorkers() {
        if (workers != null && (workers < 1 || workers > MOST_WORKERS)) {
            throw new ParameterException(spec.commandLine(), "--workers must be from 1 to " + MOST_WORKERS);
        }
        if (workers == null && transport != null) {
            throw new ParameterException(
                    spec.commandLine(), "--transport is for workers: say --workers N too, or leave it out");
        }
    }

    private StormConfig config() {
        List<String> all = new ArrayList<>(options);
        if (loops != null) {
            all.add("updraft.loops=" + loops);
        }
        if (workers != null) {
            all.add(Config.TOPOLOGY_WORKERS + "=" + workers);
        }
        if (transport != null) {
            all.add(TransportNames.LOCAL + "=" + transport);
        }
        try {
            return StormConfig.read(files, all);
        } catch (ConfigException e) {
            throw new UserError(e.getMessage(), e);
        }
    }
}
