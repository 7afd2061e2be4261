package io.updraft.bench.aggregate;

import io.updraft.bench.BenchClassPaths;
import io.updraft.bench.process.ChildJvm;
import io.updraft.bench.process.ChildLost;
import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.report.ReportTable.Column;
import io.updraft.bench.report.Statistics;
import io.updraft.bench.spec.ProcessUsage;
import io.updraft.bench.spec.RunResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code updraft bench aggregate ericsson-pipeline}. */
@Command(
        name = "ericsson-pipeline",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Splits the CPU time of a pipeline from files: read, decode, aggregate, results, crossing, JVM.",
        description = {
            "",
            "JSON records of 62 dimensions and 20 measures in nested objects, about 1.9 KB, in four files; sums by all "
                    + "dimensions and 5 minutes of event time. Runs the whole pipeline, and its parts on one thread: "
                    + "read, read and decode, read and decode and aggregate. Measures the second half of the records, in which two "
                    + "windows end: with more records, results take a smaller part.",
            ""
        })
final class PipelineCommand extends Experiment {

    private static final int DIMENSIONS = 62;
    private static final int MEASURES = 20;
    /** A window in records: windows end at 40%, 80% and 100%, and so not where the measurement starts. */
    private static final double WINDOW = 0.4;

    private static final Duration LIMIT = Duration.ofMinutes(30);

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "1m",
            description = "Number of records. Default: ${DEFAULT-VALUE}.")
    private CountOption records;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "10k",
            description = "Number of keys: distinct combinations of dimensions. Default: ${DEFAULT-VALUE}.")
    private CountOption keys;

    @Mixin
    private TaskOption tasks = new TaskOption();

    @Mixin
    private InputDirectory inputs = new InputDirectory();

    private final List<Series> all = Arrays.stream(PipelinePart.values())
            .map(part -> new Series(part, new ArrayList<>()))
            .toList();

    /** A run, and the split of its CPU time; null if it failed. */
    private record Result(RunResult run, PartUsage usage) {}

    private record Series(PipelinePart part, List<Result> results) {

        List<RunResult> runs() {
            return results.stream().map(Result::run).toList();
        }

        /** Returns the median of CPU microseconds per record. */
        double cpu(ToDoubleFunction<PartUsage> nanos) {
            return value(usage -> usage.perRecord((long) nanos.applyAsDouble(usage)));
        }

        double value(ToDoubleFunction<PartUsage> value) {
            double[] values = results.stream()
                    .filter(result -> result.run().valid())
                    .mapToDouble(result -> value.applyAsDouble(result.usage()))
                    .sorted()
                    .toArray();
            return values.length == 0 ? Double.NaN : Statistics.of(values).median();
        }
    }

    /** A layer of the pipeline's CPU time. */
    private record Layer(String name, double cpu, String source) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        greet();
        inputs.use(this::measure);
        report();
        return all.stream().flatMap(series -> series.runs().stream()).allMatch(RunResult::valid) ? 0 : 1;
    }

    private void measure(Path directory) throws IOException, InterruptedException {
        long perWindow = Math.max(1, (long) (records.value() * WINDOW));
        NestedRecords files =
                new NestedRecords(new TableSpec(DIMENSIONS, MEASURES, keys.intValue(), perWindow), directory);
        long bytes = files.write(records.value());
        say(
                "%,d records of %d dimensions and %d measures, %,d keys, %,d bytes each, in %s",
                records.value(), DIMENSIONS, MEASURES, keys.value(), bytes / records.value(), directory);
        for (int round = 1; round <= number; round++) {
            for (Series series : all) {
                Path results = directory.resolve("results-" + series.part() + "-" + round + ".csv");
                Result result = run(series.part(), files, results, bytes);
                series.results().add(result);
                String figures = NumberFormats.count(result.run().messagesPerSecond()) + " records/s, "
                        + NumberFormats.decimal(result.run().cpuSecondsPerMillion()) + " CPU us per record";
                sayRun(String.format("%-9s ", series.part()), round, figures, result.run());
            }
        }
    }

    private Result run(PipelinePart part, NestedRecords files, Path results, long bytes)
            throws IOException, InterruptedException {
        String description = files.pipeline(results, tasks.parallelism);
        try (ChildJvm child = new ChildJvm(PipelineMain.class, BenchClassPaths.updraft(), heap, PeerJvm.OPTIONS)) {
            child.say(new PipelineJob(part, description, records.value(), bytes));
            PartUsage usage = child.await(LIMIT).as(PartUsage.class);
            List<String> problems = part.hasResults() ? files.problems(results, records.value()) : List.of();
            ProcessUsage process = new ProcessUsage(usage.processNanos(), usage.gcMillis(), -1);
            return new Result(RunResult.of(problems, usage.nanos(), usage.records(), process), usage);
        } catch (ChildLost e) {
            return new Result(RunResult.failed(List.of(e.getMessage())), null);
        }
    }

    private void report() {
        table(
                "Parts of the pipeline: CPU us per record, second half of the records; medians of valid runs",
                all,
                List.of(
                        new Column<>("part", series -> series.part().toString()),
                        new Column<>("reader", series -> NumberFormats.decimal(series.cpu(PartUsage::readNanos))),
                        new Column<>(
                                "other Java threads",
                                series -> NumberFormats.decimal(series.cpu(PartUsage::workNanos))),
                        new Column<>("(results)", series -> NumberFormats.decimal(series.cpu(PartUsage::resultNanos))),
                        new Column<>("JIT and GC", series -> NumberFormats.decimal(series.cpu(PartUsage::jvmNanos))),
                        new Column<>("process", series -> NumberFormats.decimal(series.cpu(PartUsage::processNanos))),
                        new Column<>(
                                "compiling ms", series -> NumberFormats.count(series.value(PartUsage::compileMillis))),
                        new Column<>("GC ms", series -> NumberFormats.count(series.value(PartUsage::gcMillis))),
                        new Column<>(
                                "records/s",
                                series -> NumberFormats.count(median(series.runs(), RunResult::messagesPerSecond))),
                        new Column<>("valid", series -> valid(series.runs()))));
        layers();
    }

    private void layers() {
        double read = java(PipelinePart.READ);
        double decode = java(PipelinePart.DECODE);
        double aggregate = java(PipelinePart.AGGREGATE);
        double results = series(PipelinePart.AGGREGATE).cpu(PartUsage::resultNanos);
        double pipeline = java(PipelinePart.PIPELINE);
        double process = series(PipelinePart.PIPELINE).cpu(PartUsage::processNanos);
        List<Layer> layers = List.of(
                new Layer("read", read, "Java threads of read"),
                new Layer("decode", decode - read, "Java threads of decode, less those of read"),
                new Layer(
                        "aggregate",
                        aggregate - results - decode,
                        "Java threads of aggregate, less its results and those of decode"),
                new Layer("results", results, "in aggregate: closing windows and writing CSV"),
                new Layer(
                        "crossing",
                        pipeline - aggregate,
                        "Java threads of pipeline, less those of aggregate: topology, merging of tasks"),
                new Layer("JIT and GC", process - pipeline, "process of pipeline, less its Java threads"),
                new Layer("pipeline", process, "the sum"));
        table(
                "Where the pipeline's CPU time goes",
                layers,
                List.of(
                        new Column<>("layer", Layer::name),
                        new Column<>("CPU us/record", layer -> NumberFormats.decimal(layer.cpu())),
                        new Column<>("share", layer -> NumberFormats.percent(layer.cpu() / process)),
                        new Column<>("measured as", Layer::source)));
    }

    private double java(PipelinePart part) {
        return series(part).cpu(PartUsage::javaNanos);
    }

    private Series series(PipelinePart part) {
        return all.get(part.ordinal());
    }
}
