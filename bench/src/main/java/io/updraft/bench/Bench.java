package io.updraft.bench;

import io.updraft.bench.spec.Shape;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/** Executes a request: measures, prints the report, draws the figures. */
final class Bench {

    private static final int INVALID = 1;

    private final Request request;
    private final PrintWriter out;
    private final Console console;
    private final Runner runner;
    private final Contest contest;

    Bench(Request request, PrintWriter out, PrintWriter err) {
        this.request = request;
        this.out = out;
        this.console = new Console(request.format() == Format.TABLE ? out : err);
        this.runner = new Runner(request, console);
        this.contest = new Contest(request, runner, console);
    }

    /** {@return the exit code} */
    int run() throws IOException, InterruptedException {
        console.say(Machine.description());
        Machine.warnings().forEach(console::say);
        Report report;
        try (runner) {
            report = request.suite() ? suite() : single();
        }
        out.println((request.format() == Format.TABLE ? "\n" : "") + report.render(request.format()));
        out.flush();
        if (request.plot() != null) {
            console.say("figures written to " + request.plot());
        }
        return report.valid() ? 0 : INVALID;
    }

    private Report suite() throws IOException, InterruptedException {
        Suite.Results results = new Suite(request, contest, console).run();
        if (request.plot() != null) {
            Plot.write(request.plot(), Charts.of(results));
        }
        return new Report(
                results.series(),
                List.of(
                        Tables.throughput(results.series()),
                        Tables.latency(results.series()),
                        Tables.verdicts(results.verdicts())),
                List.of(),
                results.verdicts());
    }

    private Report single() throws IOException, InterruptedException {
        List<Shape> shapes =
                request.sizes().stream().map(request.shape()::withMessageSize).toList();
        List<Series> series = contest.measure(shapes, request.vsStorm());
        if (series.isEmpty()) {
            throw new UsageError(
                    "--transport", "all", "no transport runs on this machine: " + String.join("; ", contest.leftOut()));
        }
        if (request.plot() != null) {
            Plot.write(request.plot(), Charts.of(request, series));
        }
        return new Report(series, tables(series), notes(series), List.of());
    }

    private List<Table> tables(List<Series> series) {
        List<Table> tables = new ArrayList<>();
        tables.add(request.workers().several() ? Tables.betweenWorkers(series) : Tables.throughput(series));
        if (series.stream().anyMatch(Series::hasLatency)) {
            tables.add(Tables.latency(series));
        }
        if (request.vsStorm()) {
            tables.add(Tables.ratios(pairs(series)));
        }
        if (request.workers().onStormCluster()) {
            tables.add(Tables.clusterCosts(series));
        }
        return tables;
    }

    private static List<Pair> pairs(List<Series> all) {
        return all.stream()
                .filter(series -> series.side() != Side.STORM)
                .map(updraft -> new Pair(updraft, stormsOf(updraft, all)))
                .toList();
    }

    private static Series stormsOf(Series updraft, List<Series> all) {
        return all.stream()
                .filter(other -> other.side() == Side.STORM && updraft.matches(other))
                .findFirst()
                .orElse(null);
    }

    private List<String> notes(List<Series> series) {
        List<String> notes = new ArrayList<>(contest.leftOut());
        if (request.sweep()) {
            series.stream()
                    .collect(Collectors.groupingBy(
                            one -> one.runtime() + one.allSettings(), LinkedHashMap::new, Collectors.toList()))
                    .values()
                    .forEach(bySize -> notes.add(bySize.get(0).runtime() + ": " + Anomaly.verdict(bySize)));
        }
        if (request.workers().several()) {
            notes.add(
                    "CPU time and context switches are those of the worker processes only, for every runtime; crossed "
                            + "is the part of the tuples that a bolt received from another worker.");
            notes.add("Start is the time from submitting the topology until a bolt has processed a message; on a Storm "
                    + "cluster it includes the activation, which follows when all workers are ready.");
        } else if (request.sweep()) {
            notes.add("Messages are passed by reference: MB/s counts bytes that bolts received, not bytes that were "
                    + "copied.");
        }
        return notes;
    }
}
