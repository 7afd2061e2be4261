package io.updraft.bench.aggregate;

import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.report.ReportTable.Column;
import io.updraft.bench.report.Statistics;
import io.updraft.bench.spec.RunResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code updraft bench aggregate files}. */
@Command(
        name = "files",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Compares 'updraft aggregate' on a file with what a user would take instead.",
        description = {
            "",
            "ericsson: JSON lines of 62 text dimensions and 20 decimal measures, about 1 KB; the sum of each measure "
                    + "by all dimensions. stations: CSV of a station and a temperature; minimum, mean and maximum by "
                    + "station. Each run is a process, timed from its start to its exit. Updraft starts with its own "
                    + "settings; --heap is for Flink, --parallelism for the others.",
            ""
        })
final class FilesCommand extends Experiment {

    @Option(
            names = "--shape",
            paramLabel = "SHAPE",
            split = ",",
            description = "Records: ${COMPLETION-CANDIDATES}. Default: both.")
    private List<FlatShape> shapes = List.of(FlatShape.values());

    @Option(
            names = "--records",
            paramLabel = "N",
            split = ",",
            description = "Number of records. A list gives a file of each size. Default: 250k,1.5m of ericsson "
                    + "and 3m,30m of stations.")
    private List<CountOption> sizes;

    @Option(
            names = "--groups",
            paramLabel = "N",
            description = "Number of groups. Default: 10k of ericsson, 400 of stations.")
    private CountOption groups;

    @Option(
            names = "--vs",
            paramLabel = "SYSTEM",
            split = ",",
            description = "Systems beside Updraft: duckdb, flink. Default: duckdb.")
    private Set<FilesSystem> others = EnumSet.of(FilesSystem.DUCKDB);

    @Mixin
    private TaskOption tasks = new TaskOption();

    @Mixin
    private InputDirectory inputs = new InputDirectory();

    private final List<Series> all = new ArrayList<>();

    /** The runs of a system on a file. */
    private record Series(
            FlatShape shape, long records, long bytes, FilesSystem system, List<FilesRun.Result> results) {

        List<RunResult> runs() {
            return results.stream().map(FilesRun.Result::run).toList();
        }

        Statistics seconds() {
            return stats(runs(), RunResult::seconds);
        }

        double processSeconds() {
            double[] valid = results.stream()
                    .filter(result -> result.run().valid())
                    .mapToDouble(FilesRun.Result::processSeconds)
                    .toArray();
            return valid.length == 0 ? Double.NaN : Statistics.of(valid).median();
        }

        boolean isOfSameFile(Series other) {
            return shape == other.shape && records == other.records;
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        greet();
        for (FlatShape shape : shapes) {
            List<Long> numbers = sizes == null
                    ? shape.sizes()
                    : sizes.stream().map(CountOption::value).toList();
            for (long records : numbers) {
                inputs.use(directory -> measure(shape, records, directory));
            }
        }
        report();
        return all.stream().flatMap(series -> series.runs().stream()).allMatch(RunResult::valid) ? 0 : 1;
    }

    private void measure(FlatShape shape, long records, Path directory) throws IOException, InterruptedException {
        int keys = groups == null ? shape.groups() : groups.intValue();
        FilesRun runs = new FilesRun(shape, keys, directory, tasks.parallelism, heap);
        long bytes = runs.write(records);
        say("%s: wrote %,d records of %,d groups, %,d bytes, in %s", shape, records, runs.results(), bytes, directory);
        EnumSet<FilesSystem> systems = EnumSet.copyOf(others);
        systems.add(FilesSystem.UPDRAFT);
        List<Series> ofFile = systems.stream()
                .map(system -> new Series(shape, records, bytes, system, new ArrayList<>()))
                .toList();
        all.addAll(ofFile);
        for (int round = 1; round <= number; round++) {
            for (Series series : ofFile) {
                FilesRun.Result result = runs.run(series.system());
                series.results().add(result);
                String figures = NumberFormats.decimal(result.run().seconds()) + " s, "
                        + NumberFormats.decimal(result.run().cpuSecondsPerMillion()) + " CPU s per million";
                sayRun(String.format("%-8s ", series.system()), round, figures, result.run());
            }
        }
    }

    private void report() {
        table(
                "Files, whole processes; medians of valid runs",
                all,
                List.of(
                        new Column<>("shape", series -> series.shape().toString()),
                        new Column<>("records", series -> NumberFormats.count(series.records())),
                        new Column<>("MB", series -> NumberFormats.count(series.bytes() / 1e6)),
                        new Column<>("system", series -> series.system().title()),
                        new Column<>(
                                "wall s",
                                series -> NumberFormats.decimal(series.seconds().median())),
                        new Column<>(
                                "(min..max)",
                                series -> NumberFormats.decimal(series.seconds().min()) + ".."
                                        + NumberFormats.decimal(series.seconds().max())),
                        new Column<>("of DuckDB's", this::ratio),
                        new Column<>("process s", series -> NumberFormats.decimal(series.processSeconds())),
                        new Column<>(
                                "records/s",
                                series -> NumberFormats.count(median(series.runs(), RunResult::messagesPerSecond))),
                        new Column<>(
                                "CPU s/M records",
                                series ->
                                        NumberFormats.decimal(median(series.runs(), RunResult::cpuSecondsPerMillion))),
                        new Column<>("valid", series -> valid(series.runs()))));
        if (others.contains(FilesSystem.DUCKDB)) {
            say(
                    "%nDuckDB: wall s is the query alone, from before COPY to after, plus %s s for the start of its "
                            + "command line tool; CPU is the query's alone. This favours DuckDB: 'process s' is its "
                            + "whole process, in a JVM. Other systems: from the start of the process to its exit.",
                    FilesRun.DUCKDB_START_SECONDS);
        }
    }

    /** Returns a series' wall time divided by that of DuckDB on the same file. */
    private String ratio(Series series) {
        return all.stream()
                .filter(other -> other.system() == FilesSystem.DUCKDB && other.isOfSameFile(series))
                .map(duckDb -> NumberFormats.ratio(series.seconds().ratioTo(duckDb.seconds())))
                .findFirst()
                .orElse("-");
    }
}
