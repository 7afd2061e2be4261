package io.updraft.bench;

import io.updraft.bench.spec.Shape;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Carries a request out: measure, report, draw. */
final class Bench {

    private static final int INVALID = 1;

    private final Request request;
    private final PrintWriter out;
    private final Console console;
    private final Contest contest;

    Bench(Request request, PrintWriter out, PrintWriter err) {
        this.request = request;
        this.out = out;
        this.console = new Console(request.format() == Format.TABLE ? out : err);
        this.contest = new Contest(request, new Runner(request, console), console);
    }

    /** {@return the exit code} */
    int run() throws IOException, InterruptedException {
        console.say(Machine.description());
        Machine.warnings().forEach(console::say);
        Report report = request.suite() ? suite() : single();
        out.println((request.format() == Format.TABLE ? "\n" : "") + report.render(request.format()));
        out.flush();
        if (request.plot() != null) {
            console.say("drawn: " + request.plot());
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
        if (request.plot() != null) {
            Plot.write(request.plot(), request.sweep() ? Charts.ofSweep(series) : Charts.ofSeries(series));
        }
        return new Report(series, tables(series), notes(series), List.of());
    }

    private List<Table> tables(List<Series> series) {
        List<Table> tables = new ArrayList<>();
        tables.add(Tables.throughput(series));
        if (series.stream().anyMatch(Series::hasLatency)) {
            tables.add(Tables.latency(series));
        }
        if (request.vsStorm()) {
            tables.add(Tables.ratios(IntStream.range(0, series.size() / 2)
                    .mapToObj(i -> new Pair(series.get(2 * i), series.get(2 * i + 1)))
                    .toList()));
        }
        return tables;
    }

    private List<String> notes(List<Series> series) {
        if (!request.sweep()) {
            return List.of();
        }
        List<String> notes = new ArrayList<>();
        for (Side side : Side.values()) {
            List<Series> bySize =
                    series.stream().filter(one -> one.side() == side).toList();
            if (!bySize.isEmpty()) {
                notes.add(side.title() + ": " + Anomaly.verdict(bySize));
            }
        }
        notes.add("Messages are passed by reference: MB/s is what bolts were handed, not what was copied.");
        return notes;
    }
}
