package io.updraft.bench.aggregate;

import io.updraft.bench.BenchClassPaths;
import io.updraft.bench.BenchSide;
import io.updraft.bench.HarnessJvm;
import io.updraft.bench.SeriesCharts;
import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.report.ReportTable.Column;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.RunSpec;
import io.updraft.bench.spec.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
        header = "Measures aggregation, alone or in a whole job, over the parallelism and the number of workers.",
        description = {
            "",
            "The table job is a spout, a fields grouping on all dimensions, and the engine's aggregate bolt. The whole job has a spout of JSON lines "
                    + "and bolts that decode them before. alone is one thread with Updraft's aggregator and no topology; it also reports "
                    + "bytes per key. With several parallelisms or numbers of workers, the table marks the peak of each curve.",
            ""
        })
final class TableCommand extends Experiment {

    /** The shape of Ericsson's measurement, for which there is a target. */
    private static final TableSpec PROMISED = new TableSpec(6, 4, 10_000);

    private static final double TARGET = 4e6;
    private static final String HARNESS_HEAP = "512m";

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

    @Option(
            names = "--job",
            paramLabel = "JOB",
            defaultValue = "table",
            description =
                    "table: aggregation alone. whole: JSON lines, decoding, aggregation. Default: ${DEFAULT-VALUE}.")
    private Job job;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            split = ",",
            defaultValue = "2",
            description = "Tasks of each bolt. A list gives a curve. Default: ${DEFAULT-VALUE}.")
    private List<Integer> parallelisms;

    @Option(
            names = "--workers",
            paramLabel = "N",
            split = ",",
            defaultValue = "1",
            description = "Number of worker processes on this host; 1 runs in one JVM. A list gives a curve for each. "
                    + "Default: ${DEFAULT-VALUE}.")
    private List<Integer> workers;

    @Option(
            names = "--spouts",
            paramLabel = "N",
            defaultValue = "1",
            description = "Tasks of the spout. Default: ${DEFAULT-VALUE}.")
    private int spouts;

    @Option(
            names = "--plot",
            paramLabel = "FILE.png",
            description = "Draw records/s over the parallelism into a PNG file.")
    private Path plot;

    /** The rates of each curve by parallelism. */
    private final Map<String, Map<Integer, Double>> lines = new LinkedHashMap<>();

    /** What the topologies do. */
    enum Job {
        TABLE(1),
        WHOLE(2);

        private final int levels;

        Job(int levels) {
            this.levels = levels;
        }
    }

    /**
     * The runs of one shape, in Updraft's topology or on one thread alone.
     *
     * @param workers the number of workers; 0 for one thread alone
     */
    private record Series(TableSpec spec, int workers, int parallelism, List<RunResult> runs) {

        boolean alone() {
            return workers == 0;
        }

        String name() {
            return switch (workers) {
                case 0 -> "alone";
                case 1 -> "updraft";
                default -> "updraft, " + workers + " workers";
            };
        }

        /** {@return the name of the curve over the parallelism} */
        String curve() {
            return spec.title() + ", " + name();
        }

        double recordsPerSecond() {
            return median(runs, RunResult::messagesPerSecond);
        }

        String switches() {
            double switches = median(runs, RunResult::switchesPerThousand);
            return switches < 0 ? "-" : NumberFormats.decimal(switches);
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (dimensions < 1 || measures < 1) {
            throw wrong("--dims and --measures must be at least 1");
        }
        if (spouts < 1 || Stream.of(parallelisms, workers).flatMap(List::stream).anyMatch(value -> value < 1)) {
            throw wrong("--parallelism, --workers and --spouts must be at least 1");
        }
        if (plot != null
                && !(plot.toString().endsWith(".png")
                        && Files.isDirectory(plot.toAbsolutePath().getParent()))) {
            throw wrong("--plot " + plot + " must be a .png file in an existing directory");
        }
        greet();
        Stream<Integer> chosen = curves ? KEYS.stream() : keys.stream().map(CountOption::intValue);
        boolean valid = measure(chosen.map(number -> new TableSpec(dimensions, measures, number))
                .toList());
        valid &= !curves || measure(FIELDS);
        plot();
        return valid ? 0 : 1;
    }

    private boolean measure(List<TableSpec> specs) throws IOException, InterruptedException {
        List<Series> all = specs.stream().flatMap(this::series).toList();
        for (int round = 1; round <= number; round++) {
            for (Series series : all) {
                RunResult result = run(series);
                series.runs().add(result);
                String label =
                        String.format("%-28s %-18s x%-3d ", series.spec().title(), series.name(), series.parallelism());
                sayRun(label, round, NumberFormats.count(result.messagesPerSecond()) + " records/s", result);
            }
        }
        report(all);
        all.stream()
                .filter(series -> !series.alone())
                .forEach(series -> lines.computeIfAbsent(series.curve(), curve -> new HashMap<>())
                        .put(series.parallelism(), series.recordsPerSecond()));
        return all.stream().flatMap(series -> series.runs().stream()).allMatch(RunResult::valid);
    }

    private Stream<Series> series(TableSpec spec) {
        Stream<Series> curves = workers.stream()
                .distinct()
                .flatMap(count -> parallelisms.stream()
                        .distinct()
                        .map(tasks -> new Series(spec, count, tasks, new ArrayList<>())));
        return job == Job.WHOLE ? curves : Stream.concat(curves, Stream.of(new Series(spec, 0, 1, new ArrayList<>())));
    }

    private RunResult run(Series series) throws IOException, InterruptedException {
        Class<?> topology = series.alone() ? TableAlone.class : TableTopology.class;
        boolean several = series.workers() > 1;
        RunSpec run = new RunSpec(
                series.alone()
                        ? topology.getName()
                        : several ? BenchSide.UPDRAFT.workersClass() : BenchSide.UPDRAFT.localClass(),
                new Shape(topology.getName(), spouts, series.parallelism(), job.levels, 0, false, 0),
                Map.of(
                        Config.TOPOLOGY_ACKER_EXECUTORS,
                        0,
                        Config.TOPOLOGY_WORKERS,
                        Math.max(1, series.workers()),
                        Config.TOPOLOGY_WORKER_CHILDOPTS,
                        "-Xms" + heap + " -Xmx" + heap + " -XX:+UseParallelGC"),
                (long) (warmup * 1e3),
                (long) (testTime * 1e3),
                0);
        List<String> options = new ArrayList<>(PeerJvm.OPTIONS);
        options.add(series.spec().option());
        try (HarnessJvm child = new HarnessJvm(BenchClassPaths.updraft(), several ? HARNESS_HEAP : heap, options)) {
            return child.run(run, row -> {});
        }
    }

    /** {@return whether the rate is the highest of a curve of several points} */
    private static boolean isPeak(Series series, List<Series> all) {
        List<Series> curve = all.stream()
                .filter(other -> other.curve().equals(series.curve()))
                .filter(other -> Double.isFinite(other.recordsPerSecond()))
                .toList();
        return curve.size() > 1
                && curve.stream()
                                .max(Comparator.comparingDouble(Series::recordsPerSecond))
                                .get()
                        == series;
    }

    private void plot() throws IOException {
        if (plot != null) {
            SeriesCharts.write(plot, List.of("Records per second", "parallelism", "records/s"), lines);
            say("%nchart written to %s", plot);
        }
    }

    private void report(List<Series> all) {
        table(
                (job == Job.TABLE ? "Aggregation alone" : "The whole job")
                        + ": dimensions x measures; medians of valid runs",
                all,
                List.of(
                        new Column<>("shape", series -> series.spec().title()),
                        new Column<>("runtime", Series::name),
                        new Column<>("parallelism", series -> String.valueOf(series.parallelism())),
                        new Column<>("records/s", series -> NumberFormats.count(series.recordsPerSecond())),
                        new Column<>("", series -> isPeak(series, all) ? "peak" : ""),
                        new Column<>(
                                "CPU s/M records",
                                series ->
                                        NumberFormats.decimal(median(series.runs(), RunResult::cpuSecondsPerMillion))),
                        new Column<>("switches/k records", Series::switches),
                        new Column<>(
                                "crossed", series -> NumberFormats.percent(median(series.runs(), RunResult::crossed))),
                        new Column<>(
                                "bytes/key",
                                series -> series.alone()
                                        ? NumberFormats.count(median(series.runs(), TableAlone::bytes))
                                        : "-"),
                        new Column<>("valid", series -> valid(series.runs()))));
        all.stream()
                .filter(series -> job == Job.TABLE && series.spec().equals(PROMISED) && series.workers() == 1)
                .max(Comparator.comparingDouble(Series::recordsPerSecond))
                .ifPresent(series -> say(
                        "%n%s: %s records/s; target %s: %s",
                        series.spec().title(),
                        NumberFormats.count(series.recordsPerSecond()),
                        NumberFormats.count(TARGET),
                        series.recordsPerSecond() >= TARGET ? "met" : "not met"));
    }
}
