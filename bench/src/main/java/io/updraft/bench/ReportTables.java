package io.updraft.bench;

import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.report.ReportTable;
import io.updraft.bench.report.ReportTable.Column;
import io.updraft.bench.spec.LatencyPercentiles;
import io.updraft.bench.spec.RunResult;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Builds the tables of a report from the measured series. */
final class ReportTables {

    private static final Column<Series> TOPOLOGY = new Column<>("topology", Series::title);
    private static final Column<Series> RUNTIME = new Column<>("runtime", Series::runtime);
    private static final Column<Series> RATE = new Column<>("messages/s", ReportTables::rate);
    private static final Column<Series> RANGE =
            new Column<>("min..max", series -> series.messagesPerSecond().range());
    private static final Column<Series> CPU = new Column<>("CPU s/M msgs", ReportTables::cpu);
    private static final Column<Series> GC =
            median("GC ms/s", run -> run.usage().gcMillis() / run.seconds(), NumberFormats::count);
    private static final Column<Series> ARRIVED = new Column<>("all arrived", ReportTables::arrived);
    private static final Column<Series> SETTINGS = new Column<>("settings", Series::settings);

    private ReportTables() {}

    static ReportTable throughput(List<Series> all) {
        return ReportTable.of(
                "Throughput (medians of " + all.get(0).runs().size() + " runs)",
                all,
                List.of(
                        TOPOLOGY,
                        RUNTIME,
                        RATE,
                        RANGE,
                        megabytes(NumberFormats::count),
                        CPU,
                        GC,
                        median(
                                "switches/s",
                                run -> run.usage().contextSwitches() / run.seconds(),
                                positive(NumberFormats::count)),
                        ARRIVED,
                        SETTINGS));
    }

    /** {@return the throughput of several workers, with busy cores, context switches, crossed tuples and start time} */
    static ReportTable betweenWorkers(List<Series> all) {
        return ReportTable.of(
                "Throughput between workers (medians of " + all.get(0).runs().size() + " runs)",
                all,
                List.of(
                        TOPOLOGY,
                        RUNTIME,
                        RATE,
                        RANGE,
                        megabytes(NumberFormats::decimal),
                        CPU,
                        median("cores busy", RunResult::coresBusy, NumberFormats::decimal),
                        median("switches/1000 msgs", RunResult::switchesPerThousand, positive(NumberFormats::decimal)),
                        median("crossed", RunResult::crossed, NumberFormats::percent),
                        median("start s", run -> run.startMillis() / 1e3, NumberFormats::decimal),
                        GC,
                        ARRIVED,
                        SETTINGS));
    }

    static ReportTable latency(List<Series> all) {
        return ReportTable.of(
                "Complete latency (medians of the runs' percentiles; with --rate from the time a message was due,"
                        + "\notherwise from its emission, for every 1024th message, under full load)",
                all.stream().filter(Series::hasLatency).toList(),
                List.of(
                        TOPOLOGY,
                        RUNTIME,
                        time("p50", LatencyPercentiles::p50),
                        time("p90", LatencyPercentiles::p90),
                        time("p99", LatencyPercentiles::p99),
                        time("p99.9", LatencyPercentiles::p999),
                        time("max", LatencyPercentiles::max),
                        SETTINGS));
    }

    static ReportTable ratios(List<SeriesPair> pairs) {
        return ReportTable.of(
                "Updraft and others (medians of alternating runs). A CPU ratio is the other's CPU time per message,"
                        + "\ndivided by Updraft's",
                pairs.stream().filter(SeriesPair::compared).toList(),
                List.of(
                        of(SeriesPair::updraft, "topology", Series::title),
                        of(SeriesPair::updraft, "runtime", Series::runtime),
                        of(SeriesPair::peer, "other", Series::runtime),
                        of(SeriesPair::updraft, "Updraft messages/s", ReportTables::rate),
                        of(SeriesPair::peer, "other's messages/s", ReportTables::rate),
                        new Column<>("ratio", pair -> NumberFormats.ratio(pair.ratio())),
                        new Column<>("CPU ratio", pair -> NumberFormats.ratio(pair.cpuRatio()))));
    }

    /**
     * {@return a comparison of the same workers, launched by a Storm cluster and by Updraft: the cost of running on the
     * cluster}
     */
    static ReportTable clusterCosts(List<Series> all) {
        List<SeriesPair> pairs = all.stream()
                .filter(series -> series.side() == BenchSide.UPDRAFT_ON_STORM)
                .flatMap(cluster ->
                        all.stream().filter(cluster::matchesLocal).map(local -> new SeriesPair(cluster, local)))
                .toList();
        return ReportTable.of(
                "Updraft's workers launched by Updraft and by a Storm cluster (medians of alternating runs)",
                pairs,
                List.of(
                        of(SeriesPair::updraft, "topology", Series::title),
                        of(SeriesPair::updraft, "transport", Series::transport),
                        of(SeriesPair::peer, "local messages/s", ReportTables::rate),
                        of(SeriesPair::updraft, "cluster messages/s", ReportTables::rate),
                        new Column<>("kept", pair -> NumberFormats.percent(pair.ratio())),
                        of(SeriesPair::peer, "local CPU s/M msgs", ReportTables::cpu),
                        of(SeriesPair::updraft, "cluster CPU s/M msgs", ReportTables::cpu)));
    }

    static ReportTable verdicts(List<Verdict> verdicts) {
        return ReportTable.of(
                "The eight results",
                verdicts,
                List.of(
                        new Column<>("", verdict -> String.valueOf(verdict.number())),
                        new Column<>("what", Verdict::claim),
                        new Column<>("target", Verdict::target),
                        new Column<>("measured", Verdict::measured),
                        new Column<>("Storm", Verdict::storm),
                        new Column<>("verdict", verdict -> verdict.outcome().toString())));
    }

    private static Column<SeriesPair> of(
            Function<SeriesPair, Series> side, String title, Function<Series, String> cell) {
        return new Column<>(title, side.andThen(cell));
    }

    private static Column<Series> median(String title, ToDoubleFunction<RunResult> value, DoubleFunction<String> unit) {
        return new Column<>(title, series -> unit.apply(series.of(value).median()));
    }

    private static Column<Series> time(String title, ToDoubleFunction<LatencyPercentiles> percentile) {
        return new Column<>(
                title, series -> NumberFormats.time(series.latency(percentile).median()));
    }

    private static Column<Series> megabytes(DoubleFunction<String> unit) {
        return new Column<>("MB/s", series -> series.sized() ? unit.apply(series.megabytesPerSecond()) : "-");
    }

    /** {@return the unit, with {@code -} for a negative number, which is one that the system does not report} */
    private static DoubleFunction<String> positive(DoubleFunction<String> unit) {
        return value -> value < 0 ? "-" : unit.apply(value);
    }

    private static String rate(Series series) {
        return NumberFormats.count(series.messagesPerSecond().median());
    }

    private static String cpu(Series series) {
        return NumberFormats.decimal(series.of(RunResult::cpuSecondsPerMillion).median());
    }

    private static String arrived(Series series) {
        long failed =
                series.runs().stream().mapToLong(run -> run.total().failed()).sum();
        return !series.valid() ? "INVALID" : failed == 0 ? "yes" : "yes, " + NumberFormats.count(failed) + " failed";
    }
}
