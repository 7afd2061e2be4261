package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.base.json.Json;
import io.updraft.base.json.JsonObject;
import io.updraft.base.text.VisibleText;
import io.updraft.cli.run.ProgramFinder;
import io.updraft.cli.run.RunRequest;
import io.updraft.cli.run.TopologyRun;
import io.updraft.cli.view.LineWriter;
import io.updraft.cli.view.ViewMode;
import io.updraft.console.access.UiSettings;
import io.updraft.observe.advice.Advice;
import io.updraft.observe.view.TopologySample;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "advise",
        header = "Runs a program for some seconds and says what limits its topologies.",
        description = {
            "",
            "Runs the program as 'run' does, measures its topologies after a warm-up, stops them, and prints the load"
                    + " of each component, what limits the throughput, what more executors or event loops would give, and"
                    + " what limits next. The spouts must have enough to emit.",
            "",
            "The forecast assumes that a call takes as long as before. It is too high where threads contend for locks,"
                    + " caches or memory. The view of 'run' and 'top' shows the first step of the same advice, from the"
                    + " last ten seconds.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        optionListHeading = "%nOptions (before the program):%n",
        footer = {
            "",
            "Examples:",
            "  updraft advise target/topology.jar com.acme.Main",
            "  updraft advise --warm-up 20s --for 30s -c topology.max.spout.pending=5000 my.jar com.acme.Main",
            "",
            "Exit codes: 0 success, 1 the program failed or ended too early, 2 bad input."
        })
final class AdviseCommand implements Callable<Integer> {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration LEAST = Duration.ofSeconds(2);
    private static final Duration DRAIN = Duration.ofSeconds(5);

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "PROGRAM", description = "As for 'run'.")
    private String program;

    @Parameters(index = "1..*", paramLabel = "ARG", arity = "0..*", description = "As for 'run'.")
    private List<String> words = new ArrayList<>();

    @Option(
            names = "--for",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "Measure this long, at least 2s. Default: ${DEFAULT-VALUE}.")
    private Duration span;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            defaultValue = "10s",
            description = "Run this long before. Default: ${DEFAULT-VALUE}.")
    private Duration warmUp;

    @Option(names = "--json", description = "Print one JSON document, for scripts.")
    private boolean json;

    @Mixin
    private TopologyOptions topology = new TopologyOptions();

    private final Map<String, Advice> newest = new ConcurrentSkipListMap<>();

    private final Set<String> topologyNames = new ConcurrentSkipListSet<>();

    @Override
    public Integer call() throws InterruptedException {
        if (span.compareTo(LEAST) < 0) {
            throw invalid("--for must be at least 2s");
        }
        if (topology.complaint() != null) {
            throw invalid(topology.complaint());
        }
        int exitCode = new TopologyRun(request(), span, this::keep).run();
        if (exitCode != ExitCode.OK && exitCode != ExitCode.NOT_DRAINED) {
            return exitCode;
        }
        if (newest.isEmpty()) {
            throw new UserError(
                    ExitCode.FAILED,
                    "no topology ran for as long as --warm-up and --for say, so there is nothing to measure",
                    null);
        }
        print();
        topologyNames.removeAll(newest.keySet());
        if (!topologyNames.isEmpty()) {
            PrintWriter err = new LineWriter(spec.commandLine().getErr());
            err.println("updraft: not measured, because they ran for less time than --warm-up and --for say: "
                    + String.join(", ", topologyNames));
            err.flush();
        }
        return ExitCode.OK;
    }

    private RunRequest request() {
        return new RunRequest(
                new ProgramFinder(Path.of(System.getProperty("updraft.home", ""))).find(program, words),
                topology.hasWorkers(),
                topology.config(),
                warmUp.plus(span).plus(INTERVAL),
                DRAIN,
                ViewMode.NONE,
                INTERVAL,
                new ServicePortOptions().addresses(),
                null,
                UiSettings.NONE);
    }

    private void keep(List<TopologySample> samples) {
        for (TopologySample sample : samples) {
            topologyNames.add(sample.name());
            boolean warm = sample.now().uptimeNanos() >= warmUp.plus(span).toNanos();
            if (warm && sample.state().equals("running") && sample.advice() != null) {
                newest.put(sample.name(), sample.advice());
            }
        }
    }

    private void print() {
        PrintWriter out = new LineWriter(spec.commandLine().getOut());
        if (json) {
            JsonObject topologies = new JsonObject();
            newest.forEach((name, advice) -> topologies.put(name, advice.json()));
            out.println(Json.write(JsonObject.of("topologies", topologies)));
        } else {
            newest.forEach((name, advice) -> {
                out.print(VisibleText.of(name) + ": ");
                advice.text().forEach(out::println);
            });
        }
        out.flush();
    }

    private ParameterException invalid(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
