package io.updraft.bench.aggregate;

import io.updraft.bench.aggregate.data.ExpectedResults;
import io.updraft.bench.aggregate.data.MeasurementSequence;
import io.updraft.bench.aggregate.data.TopicLoader;
import io.updraft.bench.aggregate.peer.PeerJob;
import io.updraft.bench.aggregate.run.BenchTopics;
import io.updraft.bench.aggregate.run.PeerResult;
import io.updraft.bench.aggregate.run.PeerRun;
import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.report.ReportTable;
import io.updraft.bench.report.Statistics;
import io.updraft.servers.KafkaServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code updraft bench aggregate peers}. */
@Command(
        name = "peers",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Compares systems: Kafka -> {sum, avg, min, max, count} per metric, source and minute -> Kafka.")
final class PeersCommand extends Experiment {

    private static final String INPUT = "measurements";
    private static final double TARGET = 5;

    @Mixin
    private MeasurementOptions firehose;

    @Mixin
    private RunOptions runs;

    @Option(
            names = "--systems",
            paramLabel = "NAME",
            split = ",",
            description = "Systems to run, in this order: ${COMPLETION-CANDIDATES}. Default: all.")
    private List<MeasuredSystem> systems = List.of(MeasuredSystem.values());

    @Option(
            names = "-c",
            paramLabel = "KEY=VALUE",
            description = "Option of a system; the report lists each system's settings. May be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    private MeasurementSequence records;

    @Override
    public Integer call() throws IOException, InterruptedException {
        greet();
        records = checked(firehose::firehose);
        ExpectedResults model = ExpectedResults.of(records);
        Map<MeasuredSystem, List<PeerResult>> results = new LinkedHashMap<>();
        systems.forEach(contestant -> results.put(contestant, new ArrayList<>()));
        try (KafkaServer broker = BenchTopics.startBroker()) {
            BenchTopics topics = new BenchTopics(broker);
            load(broker, topics, model);
            PeerRun peers = new PeerRun(topics, model, records.records() + records.partitions(), runs.heap);
            for (int round = 1; round <= runs.number; round++) {
                for (MeasuredSystem contestant : systems) {
                    PeerJob job = job(contestant, broker, round);
                    PeerResult result = peers.run(job, !contestant.isOther());
                    results.get(contestant).add(result);
                    reportRun(contestant, result, round);
                }
            }
        }
        report(results);
        return results.values().stream().flatMap(List::stream).allMatch(PeerResult::valid) ? 0 : 1;
    }

    private void load(KafkaServer broker, BenchTopics topics, ExpectedResults model) {
        topics.create(INPUT, records.partitions());
        long began = System.nanoTime();
        TopicLoader.load(records, broker.bootstrap(), INPUT);
        say(String.format(
                "wrote %,d records of %,d keys in %d partitions and %d windows, seed %d, in %s; %,d results expected",
                records.records(),
                records.keys(),
                records.partitions(),
                records.windows(),
                records.seed(),
                NumberFormats.time(System.nanoTime() - began),
                model.results()));
    }

    private PeerJob job(MeasuredSystem contestant, KafkaServer broker, int round) {
        return new PeerJob(
                contestant.peerClass(),
                broker.bootstrap(),
                INPUT,
                "results-" + contestant.lowerCase() + "-" + round,
                records.partitions(),
                runs.parallelism,
                records.windowMillis(),
                options);
    }

    private void reportRun(MeasuredSystem contestant, PeerResult result, int round) {
        say(String.format(
                "%-10s run %d of %d  %s records/s, %s CPU s per million%s",
                contestant.lowerCase(),
                round,
                runs.number,
                NumberFormats.count(result.recordsPerSecond()),
                NumberFormats.decimal(result.cpuPerMillion()),
                result.valid() ? "" : "  INVALID"));
        say(result.problems());
    }

    private void report(Map<MeasuredSystem, List<PeerResult>> results) {
        say("");
        results.values()
                .forEach(runs -> say(
                        runs.get(0).peer().title() + ": " + runs.get(0).peer().settings()));
        say("");
        List<List<String>> rows = new ArrayList<>();
        results.values().forEach(runs -> rows.add(row(runs)));
        say(new ReportTable(
                        "The same aggregation, medians of valid runs",
                        List.of(
                                "system",
                                "CPU s/M records",
                                "(min..max)",
                                "with JVM start",
                                "records/s",
                                "records/s per core",
                                "in GC",
                                "valid"),
                        rows)
                .toText());
        verdict(results);
    }

    private static List<String> row(List<PeerResult> runs) {
        List<PeerResult> valid = runs.stream().filter(PeerResult::valid).toList();
        String title = runs.get(0).peer().title();
        if (valid.isEmpty()) {
            return List.of(title, "-", "-", "-", "-", "-", "-", "0 of " + runs.size());
        }
        Statistics cpu = stats(valid, PeerResult::cpuPerMillion);
        return List.of(
                title,
                NumberFormats.decimal(cpu.median()),
                NumberFormats.decimal(cpu.min()) + ".." + NumberFormats.decimal(cpu.max()),
                NumberFormats.decimal(
                        stats(valid, PeerResult::wholeCpuPerMillion).median()),
                NumberFormats.count(stats(valid, PeerResult::recordsPerSecond).median()),
                NumberFormats.count(stats(valid, PeerResult::recordsPerCore).median()),
                NumberFormats.percent(stats(valid, PeerResult::gcShare).median()),
                valid.size() + " of " + runs.size());
    }

    private void verdict(Map<MeasuredSystem, List<PeerResult>> results) {
        Map<MeasuredSystem, Double> cpu = new LinkedHashMap<>();
        results.forEach((contestant, all) -> {
            List<PeerResult> valid = all.stream().filter(PeerResult::valid).toList();
            if (!valid.isEmpty()) {
                cpu.put(contestant, stats(valid, PeerResult::cpuPerMillion).median());
            }
        });
        Double ours = cpu.get(MeasuredSystem.UPDRAFT);
        cpu.entrySet().stream()
                .filter(entry -> entry.getKey().isOther())
                .min(Comparator.comparingDouble(Map.Entry::getValue))
                .filter(best -> ours != null)
                .ifPresent(best -> say(String.format(
                        "%nUpdraft uses %s less CPU time per record than the best other system, %s; target %s: %s",
                        NumberFormats.ratio(best.getValue() / ours),
                        results.get(best.getKey()).get(0).peer().title(),
                        NumberFormats.ratio(TARGET),
                        best.getValue() / ours >= TARGET ? "met" : "not met")));
    }

    private static Statistics stats(List<PeerResult> runs, ToDoubleFunction<PeerResult> value) {
        return Statistics.of(runs.stream().mapToDouble(value).toArray());
    }
}
