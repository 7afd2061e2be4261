package io.updraft.bench;

import io.updraft.bench.spec.Latency;
import io.updraft.bench.spec.RunResult;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Builds the tables of a report from the measured series. */
final class Tables {

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
            "messages/s", series -> Units.count(series.messagesPerSecond().median()));
    private static final Column RANGE =
            new Column("min..max", series -> series.messagesPerSecond().range());
    private static final Column CPU =
            new Column("CPU s/M msgs", median(RunResult::cpuSecondsPerMillion, Units::decimal));
    private static final Column GC =
            new Column("GC ms/s", median(run -> run.usage().gcMillis() / run.seconds(), Units::count));
    private static final Column ARRIVED = new Column("all arrived", Tables::arrived);
    private static final Column SETTINGS = new Column("settings", Series::allSettings);

    private Tables() {}

    static Table throughput(List<Series> all) {
        return table(
                "Throughput (medians of " + all.get(0).runs().size() + " runs)",
                all,
                TOPOLOGY,
                RUNTIME,
                RATE,
                RANGE,
                megabytes(Units::count),
                CPU,
                GC,
                new Column("switches/s", Tables::switches),
                ARRIVED,
                SETTINGS);
    }

    /** {@return the throughput of several workers, with busy cores, context switches, crossed tuples and start time} */
    static Table betweenWorkers(List<Series> all) {
        return table(
                "Throughput between workers (medians of " + all.get(0).runs().size() + " runs)",
                all,
                TOPOLOGY,
                RUNTIME,
                RATE,
                RANGE,
                megabytes(Units::decimal),
                CPU,
                new Column("cores busy", median(RunResult::coresBusy, Units::decimal)),
                new Column("switches/1000 msgs", Tables::switchesPerThousand),
                new Column("crossed", median(RunResult::crossed, Units::percent)),
                new Column(
                        "start s", series -> Units.decimal(series.startSeconds().median())),
                GC,
                ARRIVED,
                SETTINGS);
    }

    static Table latency(List<Series> all) {
        return table(
                "Complete latency (medians of the runs' percentiles; with --rate from the time a message was due,"
                        + "\notherwise from its emission, for every 1024th message, under full load)",
                all.stream().filter(Series::hasLatency).toList(),
                TOPOLOGY,
                RUNTIME,
                new Column("p50", time(Latency::p50)),
                new Column("p90", time(Latency::p90)),
                new Column("p99", time(Latency::p99)),
                new Column("p99.9", time(Latency::p999)),
                new Column("max", time(Latency::max)),
                SETTINGS);
    }

    private static Table table(String title, List<Series> all, Column... columns) {
        List<String> heads = Stream.of(columns).map(Column::title).toList();
        List<List<String>> rows = all.stream()
                .map(series -> Stream.of(columns)
                        .map(column -> column.cell().apply(series))
                        .toList())
                .toList();
        return new Table(title, heads, rows);
    }

    private static Column megabytes(DoubleFunction<String> unit) {
        return new Column("MB/s", series -> series.sized() ? unit.apply(series.megabytesPerSecond()) : "-");
    }

    private static Function<Series, String> median(ToDoubleFunction<RunResult> what, DoubleFunction<String> unit) {
        return series -> unit.apply(series.of(what).median());
    }

    static Table ratios(List<Pair> pairs) {
        List<List<String>> rows = pairs.stream()
                .filter(Pair::compared)
                .map(pair -> List.of(
                        pair.updraft().title(),
                        pair.updraft().runtime() + buffer(pair.updraft()),
                        Units.count(pair.updraft().messagesPerSecond().median()),
                        Units.count(pair.storm().messagesPerSecond().median()),
                        Units.ratio(pair.ratio())))
                .toList();
        return new Table(
                "Updraft and Storm (medians of alternating runs)",
                List.of("topology", "runtime", "Updraft messages/s", "Storm messages/s", "ratio"),
                rows);
    }

    /**
     * {@return a comparison of the same workers, launched by a Storm cluster and by Updraft: the cost of running on the
     * cluster}
     */
    static Table clusterCosts(List<Series> all) {
        List<List<String>> rows = all.stream()
                .filter(series -> series.side() == Side.UPDRAFT_ON_STORM)
                .flatMap(series -> all.stream().filter(series::matchesLocal).map(local -> costs(series, local)))
                .toList();
        return new Table(
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
                cluster.variant().transport() + buffer(cluster),
                RATE.cell().apply(local),
                RATE.cell().apply(cluster),
                Units.percent(cluster.messagesPerSecond().ratioTo(local.messagesPerSecond())),
                CPU.cell().apply(local),
                CPU.cell().apply(cluster));
    }

    static Table verdicts(List<Verdict> verdicts) {
        List<List<String>> rows = verdicts.stream()
                .map(verdict -> List.of(
                        String.valueOf(verdict.number()),
                        verdict.what(),
                        verdict.target(),
                        verdict.measured(),
                        verdict.storm(),
                        verdict.outcome().toString()))
                .toList();
        return new Table("The eight results", List.of("", "what", "target", "measured", "Storm", "verdict"), rows);
    }

    private static String buffer(Series series) {
        int bytes = series.variant().transferBuffer();
        return bytes == 0 ? "" : ", " + Sizes.words(bytes);
    }

    private static String arrived(Series series) {
        long failed =
                series.runs().stream().mapToLong(run -> run.total().failed()).sum();
        return !series.valid() ? "INVALID" : failed == 0 ? "yes" : "yes, " + Units.count(failed) + " failed";
    }

    private static String switches(Series series) {
        double perSecond =
                series.of(run -> run.usage().contextSwitches() / run.seconds()).median();
        return perSecond < 0 ? "-" : Units.count(perSecond);
    }

    private static String switchesPerThousand(Series series) {
        double switches = series.of(RunResult::switchesPerThousand).median();
        return switches < 0 ? "-" : Units.decimal(switches);
    }

    private static Function<Series, String> time(ToDoubleFunction<Latency> percentile) {
        return series -> Units.time(series.latency(percentile).median());
    }
}
