package io.updraft.bench.aggregate;

import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.report.ReportTable.Column;
import io.updraft.bench.report.Statistics;
import io.updraft.bench.spec.RunResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code updraft bench aggregate peers}. */
@Command(
        name = "peers",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Compares systems: Kafka -> {sum, avg, min, max, count} per metric, source and minute -> Kafka.")
final class PeersCommand extends KafkaExperiment {

    private static final double TARGET = 5;

    @Option(
            names = "--systems",
            paramLabel = "NAME",
            split = ",",
            description = "Systems to run, in this order: ${COMPLETION-CANDIDATES}. Default: all.")
    private List<MeasuredSystem> systems = List.of(MeasuredSystem.values());

    private record Series(MeasuredSystem system, List<PeerRun.Result> results) {

        List<RunResult> runs() {
            return results.stream().map(PeerRun.Result::run).toList();
        }

        String title() {
            return results.get(0).peer().title();
        }

        Statistics cpu() {
            return stats(runs(), RunResult::cpuSecondsPerMillion);
        }

        boolean isValid() {
            return runs().stream().anyMatch(RunResult::valid);
        }
    }

    @Override
    boolean measure() throws IOException, InterruptedException {
        List<Series> all = systems.stream()
                .map(system -> new Series(system, new ArrayList<>()))
                .toList();
        for (int round = 1; round <= number; round++) {
            for (Series series : all) {
                series.results().add(run(series.system(), round));
            }
        }
        say("");
        all.forEach(series ->
                say(series.title() + ": " + series.results().get(0).peer().settings()));
        report(all);
        verdict(all);
        return all.stream().flatMap(series -> series.runs().stream()).allMatch(RunResult::valid);
    }

    private void report(List<Series> all) {
        table(
                "The same aggregation, medians of valid runs",
                all,
                List.of(
                        new Column<>("system", Series::title),
                        new Column<>(
                                "CPU s/M records",
                                series -> NumberFormats.decimal(series.cpu().median())),
                        new Column<>(
                                "(min..max)",
                                series -> NumberFormats.decimal(series.cpu().min()) + ".."
                                        + NumberFormats.decimal(series.cpu().max())),
                        new Column<>("with JVM start", series -> NumberFormats.decimal(wholeCpu(series))),
                        new Column<>(
                                "records/s",
                                series -> NumberFormats.count(median(series.runs(), RunResult::messagesPerSecond))),
                        new Column<>(
                                "records/s per core",
                                series -> NumberFormats.count(median(series.runs(), PeerRun::perCore))),
                        new Column<>(
                                "in GC",
                                series -> NumberFormats.percent(
                                        median(series.runs(), run -> run.usage().gcMillis() / 1e3 / run.seconds()))),
                        new Column<>("valid", series -> valid(series.runs()))));
    }

    private static double wholeCpu(Series series) {
        double[] valid = series.results().stream()
                .filter(result -> result.run().valid())
                .mapToDouble(PeerRun.Result::wholeCpuPerMillion)
                .toArray();
        return valid.length == 0 ? Double.NaN : Statistics.of(valid).median();
    }

    private void verdict(List<Series> all) {
        all.stream()
                .filter(series -> series.system() == MeasuredSystem.UPDRAFT && series.isValid())
                .forEach(updraft -> all.stream()
                        .filter(series -> series.system().isOther() && series.isValid())
                        .min(Comparator.comparingDouble(series -> series.cpu().median()))
                        .ifPresent(best -> verdict(best, best.cpu().ratioTo(updraft.cpu()))));
    }

    private void verdict(Series best, double ratio) {
        say(
                "%nUpdraft uses %s less CPU time per record than the best other system, %s; target %s: %s",
                NumberFormats.ratio(ratio),
                best.title(),
                NumberFormats.ratio(TARGET),
                ratio >= TARGET ? "met" : "not met");
    }
}
