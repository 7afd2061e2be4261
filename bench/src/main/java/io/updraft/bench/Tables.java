package io.updraft.bench;

import io.updraft.bench.spec.Latency;
import io.updraft.bench.spec.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** What was measured, as tables. */
final class Tables {

    private Tables() {}

    static Table throughput(List<Series> all) {
        List<List<String>> rows = new ArrayList<>();
        for (Series series : all) {
            Stats rate = series.messagesPerSecond();
            rows.add(List.of(
                    series.title(),
                    series.runtime(),
                    Units.count(rate.median()),
                    rate.range(),
                    series.sized() ? Units.count(series.megabytesPerSecond()) : "-",
                    Units.decimal(series.of(run -> run.cpuSecondsPerMillion()).median()),
                    Units.count(series.of(run -> run.usage().gcMillis() / run.seconds())
                            .median()),
                    switches(series),
                    arrived(series),
                    series.allSettings()));
        }
        return new Table(
                "Throughput (medians of " + all.get(0).runs().size() + " runs)",
                List.of(
                        "topology",
                        "runtime",
                        "messages/s",
                        "min..max",
                        "MB/s",
                        "CPU s/M msgs",
                        "GC ms/s",
                        "switches/s",
                        "all arrived",
                        "settings"),
                rows);
    }

    /** {@return throughput between workers, with what matters there} */
    static Table betweenWorkers(List<Series> all) {
        List<List<String>> rows = new ArrayList<>();
        for (Series series : all) {
            Stats rate = series.messagesPerSecond();
            rows.add(List.of(
                    series.title(),
                    series.runtime(),
                    Units.count(rate.median()),
                    rate.range(),
                    series.sized() ? Units.decimal(series.megabytesPerSecond()) : "-",
                    Units.decimal(series.of(RunResult::cpuSecondsPerMillion).median()),
                    Units.decimal(series.of(RunResult::coresBusy).median()),
                    switchesPerThousand(series),
                    Units.percent(series.of(RunResult::crossed).median()),
                    Units.count(series.of(run -> run.usage().gcMillis() / run.seconds())
                            .median()),
                    arrived(series),
                    series.allSettings()));
        }
        return new Table(
                "Throughput between workers (medians of " + all.get(0).runs().size() + " runs)",
                List.of(
                        "topology",
                        "runtime",
                        "messages/s",
                        "min..max",
                        "MB/s",
                        "CPU s/M msgs",
                        "cores busy",
                        "switches/1000 msgs",
                        "crossed",
                        "GC ms/s",
                        "all arrived",
                        "settings"),
                rows);
    }

    static Table latency(List<Series> all) {
        List<List<String>> rows = all.stream()
                .filter(Series::hasLatency)
                .map(series -> List.of(
                        series.title(),
                        series.runtime(),
                        time(series, Latency::p50),
                        time(series, Latency::p90),
                        time(series, Latency::p99),
                        time(series, Latency::p999),
                        time(series, Latency::max),
                        series.allSettings()))
                .toList();
        return new Table(
                "Complete latency (medians of the runs' percentiles; from the time a message was due where there is a"
                        + " schedule,\nelsewhere from its emission, every 1024th, under full load)",
                List.of("topology", "runtime", "p50", "p90", "p99", "p99.9", "max", "settings"),
                rows);
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
        return new Table("The six results", List.of("", "what", "target", "measured", "Storm", "verdict"), rows);
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

    private static String time(Series series, ToDoubleFunction<Latency> percentile) {
        return Units.time(series.latency(percentile).median());
    }
}
