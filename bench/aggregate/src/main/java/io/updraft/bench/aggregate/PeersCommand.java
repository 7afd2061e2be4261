package io.updraft.bench.aggregate;

import io.updraft.bench.Stats;
import io.updraft.bench.Table;
import io.updraft.bench.Units;
import io.updraft.bench.aggregate.data.Firehose;
import io.updraft.bench.aggregate.data.Loader;
import io.updraft.bench.aggregate.data.Model;
import io.updraft.bench.aggregate.peer.Job;
import io.updraft.bench.aggregate.run.PeerResult;
import io.updraft.bench.aggregate.run.PeerRun;
import io.updraft.bench.aggregate.run.Topics;
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
    private FirehoseOptions firehose;

    @Mixin
    private RunOptions runs;

    @Option(
            names = "--systems",
            paramLabel = "NAME",
            split = ",",
            description = "Systems to run, in this order: ${COMPLETION-CANDIDATES}. Default: all.")
    private List<Contestant> systems = List.of(Contestant.values());

    @Option(
            names = "-c",
            paramLabel = "KEY=VALUE",
            description = "Option of a system; the report lists each system's settings. May be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    private Firehose records;

    @Override
    public Integer call() throws IOException, InterruptedException {
        greet();
        records = checked(firehose::firehose);
        Model model = Model.of(records);
        Map<Contestant, List<PeerResult>> results = new LinkedHashMap<>();
        systems.forEach(contestant -> results.put(contestant, new ArrayList<>()));
        try (KafkaServer broker = Topics.startBroker()) {
            Topics topics = new Topics(broker);
            load(broker, topics, model);
            PeerRun peers = new PeerRun(topics, model, records.records() + records.partitions(), runs.heap);
            for (int round = 1; round <= runs.number; round++) {
                for (Contestant contestant : systems) {
                    Job job = job(contestant, broker, round);
                    PeerResult result = contestant.writes() ? peers.run(job, !contestant.isOther()) : peers.read(job);
                    results.get(contestant).add(result);
                    tell(contestant, result, round);
                }
            }
        }
        report(results);
        return results.values().stream().flatMap(List::stream).allMatch(PeerResult::valid) ? 0 : 1;
    }

    private void load(KafkaServer broker, Topics topics, Model model) {
        topics.create(INPUT, records.partitions());
        long began = System.nanoTime();
        Loader.load(records, broker.bootstrap(), INPUT);
        say(String.format(
                "wrote %,d records of %,d keys in %d partitions and %d windows, seed %d, in %s; %,d results expected",
                records.records(),
                records.keys(),
                records.partitions(),
                records.windows(),
                records.seed(),
                Units.time(System.nanoTime() - began),
                model.results()));
    }

    private Job job(Contestant contestant, KafkaServer broker, int round) {
        return new Job(
                contestant.peerClass(),
                broker.bootstrap(),
                INPUT,
                "results-" + contestant.lowerCase() + "-" + round,
                records.partitions(),
                runs.parallelism,
                records.windowMillis(),
                options);
    }

    private void tell(Contestant contestant, PeerResult result, int round) {
        say(String.format(
                "%-10s run %d of %d  %s records/s, %s CPU s per million%s",
                contestant.lowerCase(),
                round,
                runs.number,
                Units.count(result.recordsPerSecond()),
                Units.decimal(result.cpuPerMillion()),
                result.valid() ? "" : "  INVALID"));
        say(result.problems());
    }

    private void report(Map<Contestant, List<PeerResult>> results) {
        say("");
        results.values()
                .forEach(runs -> say(runs.get(0).title() + ": " + runs.get(0).settings()));
        say("");
        List<List<String>> rows = new ArrayList<>();
        results.values().forEach(runs -> rows.add(row(runs)));
        say(new Table(
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
        String title = runs.get(0).title();
        if (valid.isEmpty()) {
            return List.of(title, "-", "-", "-", "-", "-", "-", "0 of " + runs.size());
        }
        Stats cpu = stats(valid, PeerResult::cpuPerMillion);
        return List.of(
                title,
                Units.decimal(cpu.median()),
                Units.decimal(cpu.min()) + ".." + Units.decimal(cpu.max()),
                Units.decimal(stats(valid, PeerResult::wholeCpuPerMillion).median()),
                Units.count(stats(valid, PeerResult::recordsPerSecond).median()),
                Units.count(stats(valid, PeerResult::recordsPerCore).median()),
                Units.percent(stats(valid, PeerResult::gcShare).median()),
                valid.size() + " of " + runs.size());
    }

    private void verdict(Map<Contestant, List<PeerResult>> results) {
        Map<Contestant, Double> cpu = new LinkedHashMap<>();
        results.forEach((contestant, all) -> {
            List<PeerResult> valid = all.stream().filter(PeerResult::valid).toList();
            if (!valid.isEmpty()) {
                cpu.put(contestant, stats(valid, PeerResult::cpuPerMillion).median());
            }
        });
        Double ours = cpu.get(Contestant.UPDRAFT);
        cpu.entrySet().stream()
                .filter(entry -> entry.getKey().isOther())
                .min(Comparator.comparingDouble(Map.Entry::getValue))
                .filter(best -> ours != null)
                .ifPresent(best -> say(String.format(
                        "%nUpdraft uses %s less CPU time per record than the best other system, %s; target %s: %s",
                        Units.ratio(best.getValue() / ours),
                        results.get(best.getKey()).get(0).title(),
                        Units.ratio(TARGET),
                        best.getValue() / ours >= TARGET ? "met" : "not met")));
    }

    private static Stats stats(List<PeerResult> runs, ToDoubleFunction<PeerResult> value) {
        return Stats.of(runs.stream().mapToDouble(value).toArray());
    }
}
