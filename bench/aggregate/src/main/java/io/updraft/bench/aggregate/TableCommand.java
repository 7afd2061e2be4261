package io.updraft.bench.aggregate;

import io.updraft.bench.BenchClassPaths;
import io.updraft.bench.BenchSide;
import io.updraft.bench.HarnessJvm;
import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.report.ReportTable.Column;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import io.updraft.bench.spec.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.storm.Config;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code updraft bench aggregate ericsson-table}. */
@Command(
        name = "ericsson-table",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Measures aggregation alone: a spout, a fields grouping on all dimensions, an aggregator.",
        description = {
            "",
            "Runtimes: updraft is the engine with its aggregate bolt. alone is one thread with Updraft's aggregator and no topology; it also reports "
                    + "bytes per key.",
            ""
        })
final class TableCommand extends Experiment {

    /** The shape of Ericsson's measurement, for which there is a target. */
    private static final TableSpec PROMISED = new TableSpec(6, 4, 10_000);

    private static final double TARGET = 4e6;

    private static final List<TableSpec> FIELDS = List.of(
            new TableSpec(2, 2, 10_000),
            PROMISED,
            new TableSpec(15, 5, 10_000),
            new TableSpec(31, 10, 10_000),
            new TableSpec(62, 20, 10_000));
    private static final List<Integer> KEYS = List.of(10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000);

    @Option(
            names = "--dims",
            paramLabel = "N",
            defaultValue = "6",
            description = "Number of dimensions per record. Default: ${DEFAULT-VALUE}.")
    private int dimensions;

    @Option(
            names = "--measures",
            paramLabel = "N",
            defaultValue = "4",
            description = "Number of measures per record. Default: ${DEFAULT-VALUE}.")
    private int measures;

    @Option(
            names = "--keys",
            paramLabel = "N",
            split = ",",
            defaultValue = "10k",
            description = "Number of keys: distinct combinations of dimensions. A list gives a curve. Default: "
                    + "${DEFAULT-VALUE}.")
    private List<CountOption> keys;

    @Option(
            names = "--curves",
            description =
                    "Measure 10 to 10 million keys, and 2x2 to 62x20 dimensions and measures, instead of one shape.")
    private boolean curves;

    @Option(
            names = "--warmup",
            paramLabel = "SEC",
            defaultValue = "5",
            description = "Seconds of warm-up. Default: ${DEFAULT-VALUE}.")
    private double warmup;

    @Option(
            names = "--testTime",
            paramLabel = "SEC",
            defaultValue = "10",
            description = "Length of the measurement in seconds. Default: ${DEFAULT-VALUE}.")
    private double testTime;

    /** The runs of one shape, in Updraft's topology or on one thread alone. */
    private record Series(TableSpec spec, boolean alone, List<RunResult> runs) {

        String name() {
            return alone ? "alone" : "updraft";
        }

        double recordsPerSecond() {
            return median(runs, RunResult::messagesPerSecond);
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (dimensions < 1 || measures < 1) {
            throw wrong("--dims and --measures must be at least 1");
        }
        greet();
        Stream<Integer> chosen = curves ? KEYS.stream() : keys.stream().map(CountOption::intValue);
        boolean valid = measure(chosen.map(number -> new TableSpec(dimensions, measures, number))
                .toList());
        return valid & (!curves || measure(FIELDS)) ? 0 : 1;
    }

    private boolean measure(List<TableSpec> specs) throws IOException, InterruptedException {
        List<Series> all = specs.stream()
                .flatMap(spec -> Stream.of(
                        new Series(spec, false, new ArrayList<>()), new Series(spec, true, new ArrayList<>())))
                .toList();
        for (int round = 1; round <= number; round++) {
            for (Series series : all) {
                RunResult result = run(series);
                series.runs().add(result);
                String label = String.format("%-28s %-8s ", series.spec().title(), series.name());
                sayRun(label, round, NumberFormats.count(result.messagesPerSecond()) + " records/s", result);
            }
        }
        report(all);
        return all.stream().flatMap(series -> series.runs().stream()).allMatch(RunResult::valid);
    }

    private RunResult run(Series series) throws IOException, InterruptedException {
        Class<?> topology = series.alone() ? TableAlone.class : TableTopology.class;
        RunSpec run = new RunSpec(
                series.alone() ? topology.getName() : BenchSide.UPDRAFT.localClass(),
                new Shape(topology.getName(), 1, parallelism, 1, 0, false, 0),
                Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 0, Config.TOPOLOGY_WORKERS, 1),
                (long) (warmup * 1e3),
                (long) (testTime * 1e3),
                0);
        List<String> options = new ArrayList<>(PeerJvm.OPTIONS);
        options.add(series.spec().option());
        try (HarnessJvm child = new HarnessJvm(BenchClassPaths.updraft(), heap, options)) {
            return child.run(run, row -> {});
        }
    }

    private void report(List<Series> all) {
        table(
                "Aggregation alone: dimensions x measures; medians of valid runs",
                all,
                List.of(
                        new Column<>("shape", series -> series.spec().title()),
                        new Column<>("runtime", Series::name),
                        new Column<>("records/s", series -> NumberFormats.count(series.recordsPerSecond())),
                        new Column<>(
                                "CPU s/M records",
                                series ->
                                        NumberFormats.decimal(median(series.runs(), RunResult::cpuSecondsPerMillion))),
                        new Column<>(
                                "bytes/key",
                                series -> series.alone()
                                        ? NumberFormats.count(median(series.runs(), TableAlone::bytes))
                                        : "-"),
                        new Column<>("valid", series -> valid(series.runs()))));
        all.stream()
                .filter(series -> series.spec().equals(PROMISED) && !series.alone())
                .forEach(series -> say(
                        "%n%s: %s records/s; target %s: %s",
                        series.spec().title(),
                        NumberFormats.count(series.recordsPerSecond()),
                        NumberFormats.count(TARGET),
                        series.recordsPerSecond() >= TARGET ? "met" : "not met"));
    }
}
