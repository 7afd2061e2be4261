package io.updraft.bench;

import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.report.ReportTable;
import io.updraft.bench.spec.LatencyPercentiles;
import io.updraft.bench.spec.RunResult;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Builds the tables of a report from the measured series. */
final class ReportTables {

    /**
     * A column of a table that has one row per series.
     *
     * @param title the column's heading
     * @param cell computes the cell of a series
     */
    private record Column(String title, Function<Series, String> cell) {}

    private static final Column TOPOLOGY = new Column("topology", Series::title);
    private static final Column RUNTIME = new Column("runtime", Series::runtime);
    private static final Column RATE = new Column(
            "messages/s",
            series -> NumberFormats.count(series.messagesPerSecond().median()));
    private static final Column RANGE =
            new Column("min..max", series -> series.messagesPerSecond().range());
    private static final Column CPU =
            new Column("CPU s/M msgs", median(RunResult::cpuSecondsPerMillion, NumberFormats::decimal));
    private static final Column GC =
            new Column("GC ms/s", median(run -> run.usage().gcMillis() / run.seconds(), NumberFormats::count));
    private static final Column ARRIVED = new Column("all arrived", ReportTables::arrived);
    private static final Column SETTINGS = new Column("settings", Series::settings);

    private ReportTables() {}

    static ReportTable throughput(List<Series> all) {
        return table(
                "Throughput (medians of " + all.get(0).runs().size() + " runs)",
                all,
                TOPOLOGY,
                RUNTIME,
                RATE,
                RANGE,
                megabytes(NumberFormats::count),
                CPU,
                GC,
                new Column("switches/s", ReportTables::switches),
                ARRIVED,
                SETTINGS);
    }

    /** {@return the throughput of several workers, with busy cores, context switches, crossed tuples and start time} */
    static ReportTable betweenWorkers(List<Series> all) {
        return table(
                "Throughput between workers (medians of " + all.get(0).runs().size() + " runs)",
                all,
                TOPOLOGY,
                RUNTIME,
                RATE,
                RANGE,
                megabytes(NumberFormats::decimal),
                CPU,
                new Column("cores busy", median(RunResult::coresBusy, NumberFormats::decimal)),
                new Column("switches/1000 msgs", ReportTables::switchesPerThousand),
                new Column("crossed", median(RunResult::crossed, NumberFormats::percent)),
                new Column(
                        "start s",
                        series -> NumberFormats.decimal(series.startSeconds().median())),
                GC,
                ARRIVED,
                SETTINGS);
    }

    static ReportTable latency(List<Series> all) {
        return table(
                "Complete latency (medians of the runs' percentiles; with --rate from the time a message was due,"
                        + "\notherwise from its emission, for every 1024th message, under full load)",
                all.stream().filter(Series::hasLatency).toList(),
                TOPOLOGY,
                RUNTIME,
                new Column("p50", time(LatencyPercentiles::p50)),
                new Column("p90", time(LatencyPercentiles::p90)),
                new Column("p99", time(LatencyPercentiles::p99)),
                new Column("p99.9", time(LatencyPercentiles::p999)),
                new Column("max", time(LatencyPercentiles::max)),
                SETTINGS);
    }

    private static ReportTable table(String title, List<Series> all, Column... columns) {
        List<String> heads = Stream.of(columns).map(Column::title).toList();
        List<List<String>> rows = all.stream()
                .map(series -> Stream.of(columns)
                        .map(column -> column.cell().apply(series))
                        .toList())
                .toList();
        return new ReportTable(title, heads, rows);
    }

    private static Column megabytes(DoubleFunction<String> unit) {
        return new Column("MB/s", series -> series.sized() ? unit.apply(series.megabytesPerSecond()) : "-");
    }

    private static Function<Series, String> median(ToDoubleFunction<RunResult> what, DoubleFunction<String> unit) {
        return series -> unit.apply(series.of(what).median());
    }

    static ReportTable ratios(List<SeriesPair> pairs) {
        List<List<String>> rows = pairs.stream()
                .filter(SeriesPair::compared)
                .map(pair -> List.of(
                        pair.updraft().title(),
                        pair.updraft().runtime(),
                        pair.peer().runtime(),
                        NumberFormats.count(pair.updraft().messagesPerSecond().median()),
                        NumberFormats.count(pair.peer().messagesPerSecond().median()),
                        NumberFormats.ratio(pair.ratio()),
                        NumberFormats.ratio(pair.cpuRatio())))
                .toList();
        return new ReportTable(
                "Updraft and others (medians of alternating runs). A CPU ratio is the other's CPU time per message,"
                        + "\ndivided by Updraft's",
                List.of(
                        "topology",
                        "runtime",
                        "other",
                        "Updraft messages/s",
                        "other's messages/s",
                        "ratio",
                        "CPU ratio"),
                rows);
    }

    /**
     * {@return a comparison of the same workers, launched by a Storm cluster and by Updraft: the cost of running on the
     * cluster}
     */
    static ReportTable clusterCosts(List<Series> all) {
        List<List<String>> rows = all.stream()
                .filter(series -> series.side() == BenchSide.UPDRAFT_ON_STORM)
                .flatMap(series -> all.stream().filter(series::matchesLocal).map(local -> costs(series, local)))
                .toList();
        return new ReportTable(
                "Updraft's workers launched by Updraft and by a Storm cluster (medians of alternating runs)",
                List.of(
                        "topology",
                        "transport",
                        "local messages/s",
                        "cluster messages/s",
                        "kept",
                        "local CPU s/M msgs",
                        "cluster CPU s/M msgs"),
                rows);
    }

    private static List<String> costs(Series cluster, Series local) {
        return List.of(
                cluster.title(),
                cluster.transport(),
                RATE.cell().apply(local),
                RATE.cell().apply(cluster),
                NumberFormats.percent(cluster.messagesPerSecond().ratioTo(local.messagesPerSecond())),
                CPU.cell().apply(local),
                CPU.cell().apply(cluster));
    }

    static ReportTable verdicts(List<Verdict> verdicts) {
        List<List<String>> rows = verdicts.stream()
                .map(verdict -> List.of(
                        String.valueOf(verdict.number()),
                        verdict.what(),
                        verdict.target(),
                        verdict.measured(),
                        verdict.storm(),
                        verdict.outcome().toString()))
                .toList();
        return new ReportTable(
                "The eight results", List.of("", "what", "target", "measured", "Storm", "verdict"), rows);
    }

    private static String arrived(Series series) {
        long failed =
                series.runs().stream().mapToLong(run -> run.total().failed()).sum();
        return !series.valid() ? "INVALID" : failed == 0 ? "yes" : "yes, " + NumberFormats.count(failed) + " failed";
    }

    private static String switches(Series series) {
        double perSecond =
                series.of(run -> run.usage().contextSwitches() / run.seconds()).median();
        return perSecond < 0 ? "-" : NumberFormats.count(perSecond);
    }

    private static String switchesPerThousand(Series series) {
        double switches = series.of(RunResult::switchesPerThousand).median();
        return switches < 0 ? "-" : NumberFormats.decimal(switches);
    }

    private static Function<Series, String> time(ToDoubleFunction<LatencyPercentiles> percentile) {
        return series -> NumberFormats.time(series.latency(percentile).median());
    }
}
