package io.updraft.bench.aggregate;

import io.updraft.bench.SeriesCharts;
import io.updraft.bench.StormClusterOption;
import io.updraft.bench.UsageError;
import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.report.ReportTable.Column;
import io.updraft.bench.spec.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
            description = "Number of worker processes on this host; 1 runs in one JVM. A list gives a curve for each, "
                    + "without the points where a worker would have no executor. Default: ${DEFAULT-VALUE}.")
    private List<Integer> workers;

    @Option(
            names = StormClusterOption.NAME,
            paramLabel = "CLUSTER",
            description = "For each number of workers above 1, also measure Updraft's workers launched by a Storm "
                    + "Supervisor, beside the workers that Updraft launches itself. The only value is storm-cluster: "
                    + "a Storm cluster on this host.")
    private String on;

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
        workers.stream().filter(count -> fitting(count).findAny().isEmpty()).forEach(this::complainOf);
        try (TableRunner runner = runner()) {
            greet();
            workers.stream().distinct().forEach(this::sayWhatIsLeftOut);
            Stream<Integer> chosen = curves ? KEYS.stream() : keys.stream().map(CountOption::intValue);
            boolean valid = measure(
                    runner,
                    chosen.map(number -> new TableSpec(dimensions, measures, number))
                            .toList());
            valid &= !curves || measure(runner, FIELDS);
            plot();
            return valid ? 0 : 1;
        }
    }

    private void complainOf(int count) {
        int executors = load().executors(Collections.max(parallelisms));
        throw wrong("--workers " + count + ": the topology has only " + executors
                + " executors; use at most as many workers");
    }

    private void sayWhatIsLeftOut(int count) {
        List<Integer> measured = fitting(count).toList();
        parallelisms.stream()
                .distinct()
                .filter(tasks -> !measured.contains(tasks))
                .forEach(tasks -> say(
                        "left out: %d workers with parallelism %d: the topology has only %d executors",
                        count, tasks, load().executors(tasks)));
    }

    private TableRunner runner() {
        try {
            return new TableRunner(
                    load(), StormClusterOption.isGiven(on, workers.stream().anyMatch(count -> count > 1)));
        } catch (UsageError e) {
            throw wrong(e.getMessage());
        }
    }

    private TableRunner.Load load() {
        return new TableRunner.Load(spouts, job.levels, heap, (long) (warmup * 1e3), (long) (testTime * 1e3));
    }

    private boolean measure(TableRunner runner, List<TableSpec> specs) throws IOException, InterruptedException {
        List<TableSeries> all = specs.stream().flatMap(this::series).toList();
        for (int round = 1; round <= number; round++) {
            for (TableSeries series : all) {
                RunResult result = runner.run(series);
                series.runs().add(result);
                String label =
                        String.format("%-28s %-27s x%-3d ", series.spec().title(), series.name(), series.parallelism());
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

    private Stream<TableSeries> series(TableSpec spec) {
        Stream<TableSeries> curves = workers.stream()
                .distinct()
                .flatMap(count -> placements(count)
                        .flatMap(placement ->
                                fitting(count).map(tasks -> new TableSeries(spec, placement, count, tasks))));
        return job == Job.WHOLE
                ? curves
                : Stream.concat(curves, Stream.of(new TableSeries(spec, TablePlacement.ALONE, 1, 1)));
    }

    private Stream<TablePlacement> placements(int count) {
        if (count == 1) {
            return Stream.of(TablePlacement.EMBEDDED);
        }
        return on == null
                ? Stream.of(TablePlacement.LOCAL_WORKERS)
                : Stream.of(TablePlacement.LOCAL_WORKERS, TablePlacement.STORM_CLUSTER);
    }

    /** {@return the parallelisms with which each of so many workers has an executor} */
    private Stream<Integer> fitting(int count) {
        return parallelisms.stream().distinct().filter(tasks -> load().executors(tasks) >= count);
    }

    /** {@return whether the rate is the highest of a curve of several points} */
    private static boolean isPeak(TableSeries series, List<TableSeries> all) {
        List<TableSeries> curve = all.stream()
                .filter(other -> other.curve().equals(series.curve()))
                .filter(other -> Double.isFinite(other.recordsPerSecond()))
                .toList();
        return curve.size() > 1
                && curve.stream()
                                .max(Comparator.comparingDouble(TableSeries::recordsPerSecond))
                                .get()
                        == series;
    }

    private void plot() throws IOException {
        if (plot != null) {
            SeriesCharts.write(plot, List.of("Records per second", "parallelism", "records/s"), lines);
            say("%nchart written to %s", plot);
        }
    }

    private void report(List<TableSeries> all) {
        table(
                (job == Job.TABLE ? "Aggregation alone" : "The whole job")
                        + ": dimensions x measures; medians of valid runs",
                all,
                List.of(
                        new Column<>("shape", series -> series.spec().title()),
                        new Column<>("runtime", TableSeries::name),
                        new Column<>("parallelism", series -> String.valueOf(series.parallelism())),
                        new Column<>("records/s", series -> NumberFormats.count(series.recordsPerSecond())),
                        new Column<>("", series -> isPeak(series, all) ? "peak" : ""),
                        new Column<>(
                                "CPU s/M records",
                                series ->
                                        NumberFormats.decimal(median(series.runs(), RunResult::cpuSecondsPerMillion))),
                        new Column<>("switches/k records", TableSeries::switches),
                        new Column<>(
                                "crossed", series -> NumberFormats.percent(median(series.runs(), RunResult::crossed))),
                        new Column<>(
                                "bytes/key",
                                series -> series.alone()
                                        ? NumberFormats.count(median(series.runs(), TableAlone::bytes))
                                        : "-"),
                        new Column<>("valid", series -> valid(series.runs()))));
        all.stream()
                .filter(series -> job == Job.TABLE
                        && series.spec().equals(PROMISED)
                        && series.placement() == TablePlacement.EMBEDDED)
                .max(Comparator.comparingDouble(TableSeries::recordsPerSecond))
                .ifPresent(series -> say(
                        "%n%s: %s records/s; target %s: %s",
                        series.spec().title(),
                        NumberFormats.count(series.recordsPerSecond()),
                        NumberFormats.count(TARGET),
                        series.recordsPerSecond() >= TARGET ? "met" : "not met"));
    }
}
