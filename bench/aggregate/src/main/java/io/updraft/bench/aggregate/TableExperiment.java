package io.updraft.bench.aggregate;

import io.updraft.bench.aggregate.run.TableRun;
import io.updraft.bench.aggregate.table.TableSpec;
import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.report.ReportTable;
import io.updraft.bench.report.Statistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/** Measures aggregation alone, with several shapes and runtimes, alternating. */
final class TableExperiment {

    private static final double TARGET = 4e6;

    /**
     * The shape of the aggregated records.
     *
     * @param dimensions the number of fields to group by
     * @param measures the number of fields to sum
     * @param keys the number of distinct combinations of dimensions
     */
    record Shape(int dimensions, int measures, int keys) {

        /** The shape of Ericsson's measurement, for which there is a target. */
        static final Shape PROMISED = new Shape(6, 4, 10_000);

        String title() {
            return dimensions + "x" + measures + ", " + NumberFormats.count(keys) + " keys";
        }
    }

    /**
     * The runs of one shape on one runtime.
     *
     * @param shape the shape of the records
     * @param runtime the runtime
     * @param runs the results, one per run
     */
    record Series(Shape shape, TableSpec.Runtime runtime, List<TableRun.Result> runs) {

        double median(ToDoubleFunction<TableRun.Result> value) {
            double[] values = runs.stream()
                    .filter(TableRun.Result::valid)
                    .mapToDouble(value)
                    .toArray();
            return values.length == 0 ? Double.NaN : Statistics.of(values).median();
        }

        double recordsPerSecond() {
            return median(TableRun.Result::recordsPerSecond);
        }

        double bytesPerGroup() {
            return median(TableRun.Result::bytesPerGroup);
        }

        String name() {
            return runtime.name().toLowerCase(Locale.ROOT);
        }
    }

    private final RunOptions options;
    private final long warmupMillis;
    private final long testMillis;
    private final Consumer<String> out;

    TableExperiment(RunOptions options, long warmupMillis, long testMillis, Consumer<String> out) {
        this.options = options;
        this.warmupMillis = warmupMillis;
        this.testMillis = testMillis;
        this.out = out;
    }

    List<Series> run(List<Shape> shapes) throws IOException, InterruptedException {
        Map<String, Series> all = new LinkedHashMap<>();
        for (Shape shape : shapes) {
            for (TableSpec.Runtime runtime : TableSpec.Runtime.values()) {
                all.put(shape.title() + runtime, new Series(shape, runtime, new ArrayList<>()));
            }
        }
        for (int round = 1; round <= options.number; round++) {
            for (Series series : all.values()) {
                TableRun.Result result = TableRun.run(spec(series), options.heap);
                series.runs().add(result);
                reportRun(series, result, round);
            }
        }
        List<Series> series = List.copyOf(all.values());
        report(series);
        return series;
    }

    /** Chooses the window size: about ten million records, the same number for every key. */
    private TableSpec spec(Series series) {
        long rounds = Math.max(1, 10_000_000 / series.shape().keys());
        return new TableSpec(
                series.runtime(),
                series.shape().dimensions(),
                series.shape().measures(),
                series.shape().keys(),
                rounds * series.shape().keys(),
                options.parallelism,
                warmupMillis,
                testMillis);
    }

    private void reportRun(Series series, TableRun.Result result, int round) {
        out.accept(String.format(
                "%-28s %-8s run %d of %d  %s records/s%s",
                series.shape().title(),
                series.name(),
                round,
                options.number,
                NumberFormats.count(result.recordsPerSecond()),
                result.valid() ? "" : "  INVALID"));
        result.problems().forEach(problem -> out.accept("  " + problem));
    }

    private void report(List<Series> all) {
        List<List<String>> rows = new ArrayList<>();
        for (Series series : all) {
            rows.add(List.of(
                    series.shape().title(),
                    series.name(),
                    cell(series.recordsPerSecond(), NumberFormats::count),
                    NumberFormats.decimal(series.median(TableRun.Result::cpuPerMillion)),
                    cell(series.bytesPerGroup(), NumberFormats::count),
                    series.runs().stream().filter(TableRun.Result::valid).count() + " of "
                            + series.runs().size()));
        }
        out.accept("");
        out.accept(new ReportTable(
                        "Aggregation alone: dimensions x measures; medians of valid runs",
                        List.of("shape", "runtime", "records/s", "CPU s/M records", "bytes/key", "valid"),
                        rows)
                .toText());
        all.stream()
                .filter(series -> series.shape().equals(Shape.PROMISED))
                .filter(series -> series.runtime() == TableSpec.Runtime.UPDRAFT)
                .forEach(series -> out.accept(String.format(
                        "%n%s: %s records/s; target %s: %s",
                        series.shape().title(),
                        cell(series.recordsPerSecond(), NumberFormats::count),
                        NumberFormats.count(TARGET),
                        series.recordsPerSecond() >= TARGET ? "met" : "not met")));
    }

    private static String cell(double value, java.util.function.DoubleFunction<String> format) {
        return Double.isNaN(value) ? "-" : format.apply(value);
    }
}
