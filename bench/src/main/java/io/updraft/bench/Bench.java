package io.updraft.bench;

import io.updraft.bench.report.Machine;
import io.updraft.bench.report.ReportTable;
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

    private final BenchRequest request;
    private final PrintWriter out;
    private final ProgressConsole console;
    private final ShapeRunner runner;
    private final AlternatingRuns contest;

    Bench(BenchRequest request, PrintWriter out, PrintWriter err) {
        this.request = request;
        this.out = out;
        this.console = new ProgressConsole(request.json() ? err : out);
        this.runner = new ShapeRunner(request, console);
        this.contest = new AlternatingRuns(request, runner, console);
    }

    /** {@return the exit code} */
    int run() throws IOException, InterruptedException {
        console.say(Machine.description());
        Machine.warnings().forEach(console::say);
        BenchReport report;
        try (runner) {
            report = request.suite() ? suite() : single();
        }
        out.println(request.json() ? report.json() : "\n" + report.text());
        out.flush();
        if (request.plot() != null) {
            console.say("figures written to " + request.plot());
        }
        return report.valid() ? 0 : INVALID;
    }

    private BenchReport suite() throws IOException, InterruptedException {
        PromiseSuite.Results results = new PromiseSuite(request, contest, console).run();
        if (request.plot() != null) {
            SeriesCharts.write(request.plot(), SeriesCharts.of(results));
        }
        return new BenchReport(
                results.series(),
                List.of(
                        ReportTables.throughput(results.series()),
                        ReportTables.latency(results.series()),
                        ReportTables.verdicts(results.verdicts())),
                List.of(),
                results.verdicts());
    }

    private BenchReport single() throws IOException, InterruptedException {
        List<Shape> shapes =
                request.sizes().stream().map(request.shape()::withMessageSize).toList();
        List<Series> series = contest.measure(shapes, request.peers());
        if (series.isEmpty()) {
            throw new UsageError(
                    "--transport", "all", "no transport runs on this machine: " + String.join("; ", contest.leftOut()));
        }
        if (request.plot() != null) {
            SeriesCharts.write(request.plot(), SeriesCharts.of(request, series));
        }
        return new BenchReport(series, tables(series), notes(series), List.of());
    }

    private List<ReportTable> tables(List<Series> series) {
        List<ReportTable> tables = new ArrayList<>();
        tables.add(request.workers().several() ? ReportTables.betweenWorkers(series) : ReportTables.throughput(series));
        if (series.stream().anyMatch(Series::hasLatency)) {
            tables.add(ReportTables.latency(series));
        }
        if (!request.peers().isEmpty()) {
            tables.add(ReportTables.ratios(pairs(series)));
        }
        if (request.workers().onStormCluster()) {
            tables.add(ReportTables.clusterCosts(series));
        }
        return tables;
    }

    private static List<SeriesPair> pairs(List<Series> all) {
        return all.stream()
                .filter(series -> series.side().isUpdraft())
                .flatMap(updraft -> all.stream()
                        .filter(other -> !other.side().isUpdraft() && updraft.matches(other))
                        .map(peer -> new SeriesPair(updraft, peer)))
                .toList();
    }

    private List<String> notes(List<Series> series) {
        List<String> notes = new ArrayList<>(contest.leftOut());
        if (request.sweep()) {
            series.stream()
                    .collect(Collectors.groupingBy(
                            one -> one.runtime() + one.settings(), LinkedHashMap::new, Collectors.toList()))
                    .values()
                    .forEach(bySize -> notes.add(bySize.get(0).runtime() + ": " + SizeAnomaly.verdict(bySize)));
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
        if (request.peers().contains(BenchSide.FLINK)) {
            notes.add(
                    "Flink runs without checkpoints and tracks no messages: --ack, --spout and --bolt do not apply to it. Its "
                            + "settings show its parallelism.");
        }
        return notes;
    }
}
