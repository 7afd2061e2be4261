package io.updraft.bench.aggregate;

import io.updraft.bench.aggregate.files.FilesSpec;
import io.updraft.bench.aggregate.files.FilesWriter;
import io.updraft.bench.aggregate.run.FilesRun;
import io.updraft.bench.aggregate.table.TableSpec;
import io.updraft.bench.process.TemporaryTree;
import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.report.ReportTable;
import io.updraft.bench.report.Statistics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code updraft bench aggregate ericsson-pipeline}. */
@Command(
        name = "ericsson-pipeline",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Reads JSON records of 62 dimensions and 20 measures from files and aggregates them in a pipeline.",
        description = {
            "",
            "Also measures one thread that only reads the same files, and one thread that reads and decodes them. The "
                    + "difference in CPU time is the cost of parsing.",
            ""
        })
final class FilesCommand extends Experiment {

    private static final double TARGET = 150_000;
    private static final long WINDOWS = 2;

    @Mixin
    private RunOptions runs;

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "1m",
            description = "Number of records, about 2 KB each. Default: ${DEFAULT-VALUE}.")
    private CountOption records;

    @Option(
            names = "--dims",
            paramLabel = "N",
            defaultValue = "62",
            description = "Number of dimensions per record. Default: ${DEFAULT-VALUE}.")
    private int dimensions;

    @Option(
            names = "--measures",
            paramLabel = "N",
            defaultValue = "20",
            description = "Number of measures per record. Default: ${DEFAULT-VALUE}.")
    private int measures;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "10k",
            description = "Number of keys: distinct combinations of dimensions. Default: ${DEFAULT-VALUE}.")
    private CountOption keys;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description =
                    "Directory for the input files, which are deleted after the run. Default: the temporary directory.")
    private Path parent;

    private final Map<FilesSpec.Mode, List<FilesRun.Result>> results = new EnumMap<>(FilesSpec.Mode.class);
    private boolean valid = true;
    private long bytes;

    @Override
    public Integer call() throws IOException, InterruptedException {
        greet();
        Path directory = parent == null
                ? Files.createTempDirectory("updraft-files-")
                : Files.createTempDirectory(parent, "updraft-files-");
        try {
            measure(directory);
        } finally {
            TemporaryTree.delete(directory);
        }
        return valid ? 0 : 1;
    }

    private void measure(Path directory) throws IOException, InterruptedException {
        long perWindow = Math.max(1, records.value() / WINDOWS);
        FilesWriter writer = new FilesWriter(new TableSpec(
                TableSpec.Runtime.UPDRAFT, dimensions, measures, keys.intValue(), perWindow, runs.parallelism, 0, 0));
        bytes = writer.write(directory, records.value());
        say(String.format(
                "%,d records of %d dimensions and %d measures, %,d keys, %,d bytes each, in %s",
                records.value(), dimensions, measures, keys.value(), bytes / records.value(), directory));
        for (int round = 1; round <= runs.number; round++) {
            for (FilesSpec.Mode mode : FilesSpec.Mode.values()) {
                run(writer, directory, mode, round);
            }
        }
        report();
    }

    private void run(FilesWriter writer, Path directory, FilesSpec.Mode mode, int round)
            throws IOException, InterruptedException {
        Path output = directory.resolve("results-" + round + ".csv");
        String description = writer.description(directory, output, runs.parallelism);
        List<String> problems = new ArrayList<>();
        try {
            FilesRun.Result result = FilesRun.run(new FilesSpec(mode, description, records.value(), bytes), runs.heap);
            if (mode == FilesSpec.Mode.PIPELINE) {
                problems.addAll(writer.problems(output, records.value()));
            } else if (result.records() != records.value()) {
                problems.add(result.records() + " of " + records.value() + " records were read");
            }
            if (problems.isEmpty()) {
                results.computeIfAbsent(mode, some -> new ArrayList<>()).add(result);
            }
            say(String.format(
                    "%-8s run %d of %d  %s records/s%s",
                    mode.name().toLowerCase(Locale.ROOT),
                    round,
                    runs.number,
                    NumberFormats.count(result.recordsPerSecond()),
                    problems.isEmpty() ? "" : "  INVALID"));
        } catch (IllegalStateException e) {
            problems.add(e.getMessage());
        }
        valid &= problems.isEmpty();
        problems.forEach(problem -> say("  INVALID: " + problem));
        Files.deleteIfExists(output);
    }

    private void report() {
        double bytesPerRecord = (double) bytes / records.value();
        List<List<String>> rows = new ArrayList<>();
        results.keySet()
                .forEach(mode -> rows.add(List.of(
                        mode.name().toLowerCase(Locale.ROOT),
                        NumberFormats.count(median(mode, FilesRun.Result::recordsPerSecond)),
                        NumberFormats.count(median(mode, FilesRun.Result::recordsPerSecond) * bytesPerRecord / 1e6),
                        NumberFormats.decimal(median(mode, FilesRun.Result::cpuPerMillion)))));
        say("");
        say(new ReportTable(
                        "JSON from files, medians of valid runs",
                        List.of("mode", "records/s", "MB/s", "CPU s/M records"),
                        rows)
                .toText());
        if (results.size() == FilesSpec.Mode.values().length) {
            double parsing = median(FilesSpec.Mode.DECODE, FilesRun.Result::cpuPerMillion)
                    - median(FilesSpec.Mode.READ, FilesRun.Result::cpuPerMillion);
            double rate = median(FilesSpec.Mode.PIPELINE, FilesRun.Result::recordsPerSecond);
            say(String.format(
                    "%nParsing is %s of the pipeline's CPU time. The pipeline reads %s records/s; target %s: %s",
                    NumberFormats.percent(parsing / median(FilesSpec.Mode.PIPELINE, FilesRun.Result::cpuPerMillion)),
                    NumberFormats.count(rate),
                    NumberFormats.count(TARGET),
                    rate >= TARGET ? "met" : "not met"));
        }
    }

    private double median(FilesSpec.Mode mode, ToDoubleFunction<FilesRun.Result> value) {
        return Statistics.of(results.get(mode).stream().mapToDouble(value).toArray())
                .median();
    }
}
