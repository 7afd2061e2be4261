package io.updraft.bench.aggregate;

import io.updraft.bench.aggregate.TableExperiment.Series;
import io.updraft.bench.aggregate.TableExperiment.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

    private static final List<Shape> FIELDS = List.of(
            new Shape(2, 2, 10_000),
            new Shape(6, 4, 10_000),
            new Shape(15, 5, 10_000),
            new Shape(31, 10, 10_000),
            new Shape(62, 20, 10_000));
    private static final List<Integer> KEYS = List.of(10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000);

    @Mixin
    private RunOptions runs;

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

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (dimensions < 1 || measures < 1) {
            throw wrong("--dims and --measures must be at least 1");
        }
        greet();
        TableExperiment experiment =
                new TableExperiment(runs, (long) (warmup * 1e3), (long) (testTime * 1e3), this::say);
        List<Series> byKeys = experiment.run(byKeys());
        List<Series> byFields = curves ? experiment.run(FIELDS) : new ArrayList<>();
        boolean valid = Stream.concat(byKeys.stream(), byFields.stream())
                .flatMap(series -> series.runs().stream())
                .allMatch(result -> result.valid());
        return valid ? 0 : 1;
    }

    private List<Shape> byKeys() {
        Stream<Integer> chosen = curves ? KEYS.stream() : keys.stream().map(CountOption::intValue);
        return chosen.map(number -> new Shape(dimensions, measures, number)).toList();
    }
}
