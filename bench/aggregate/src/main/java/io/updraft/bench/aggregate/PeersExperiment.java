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
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Runs the same aggregation of the same topic on several systems, one after the other, in several rounds. */
final class PeersExperiment {

    private static final String INPUT = "measurements";
    private static final double TARGET = 5;

    private final Firehose firehose;
    private final RunOptions options;
    private final PrintWriter out;

    PeersExperiment(Firehose firehose, RunOptions options, PrintWriter out) {
        this.firehose = firehose;
        this.options = options;
        this.out = out;
    }

    /** {@return whether every run was valid} */
    boolean run(List<Contestant> contestants, Map<String, String> peerOptions)
            throws IOException, InterruptedException {
        Model model = Model.of(firehose);
        Map<Contestant, List<PeerResult>> results = new LinkedHashMap<>();
        contestants.forEach(contestant -> results.put(contestant, new ArrayList<>()));
        try (KafkaServer broker = Topics.startBroker()) {
            Topics topics = new Topics(broker);
            load(broker, topics, model);
            PeerRun runs = new PeerRun(topics, model, firehose.records() + firehose.partitions(), options.heap());
            for (int round = 1; round <= options.runs(); round++) {
                for (Contestant contestant : contestants) {
                    Job job = job(contestant, broker, round, peerOptions);
                    PeerResult result =
                            contestant.writes() ? runs.run(job, !contestant.hasPeersClient()) : runs.read(job);
                    results.get(contestant).add(result);
                    tell(contestant, result, round);
                }
            }
        }
        report(results);
        return results.values().stream().flatMap(List::stream).allMatch(PeerResult::valid);
    }

    private void load(KafkaServer broker, Topics topics, Model model) {
        topics.create(INPUT, firehose.partitions());
        long began = System.nanoTime();
        Loader.load(firehose, broker.bootstrap(), INPUT);
        say(String.format(
                "wrote %,d records of %,d keys in %d partitions and %d windows, seed %d, in %s; %,d results expected",
                firehose.records(),
                firehose.keys(),
                firehose.partitions(),
                firehose.windows(),
                firehose.seed(),
                Units.time(System.nanoTime() - began),
                model.results()));
    }

    private Job job(Contestant contestant, KafkaServer broker, int round, Map<String, String> peerOptions) {
        return new Job(
                contestant.peerClass(),
                broker.bootstrap(),
                INPUT,
                "results-" + contestant.lowerCase() + "-" + round,
                firehose.partitions(),
                options.parallelism(),
                firehose.windowMillis(),
                peerOptions);
    }

    private void tell(Contestant contestant, PeerResult result, int round) {
        say(String.format(
                "%-10s run %d of %d  %s records/s, %s CPU s per million%s",
                contestant.lowerCase(),
                round,
                options.runs(),
                Units.count(result.recordsPerSecond()),
                Units.decimal(result.cpuPerMillion()),
                result.valid() ? "" : "  INVALID"));
        result.problems().forEach(problem -> say("  " + problem));
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
        results.forEach((contestant, runs) -> runs.stream()
                .filter(PeerResult::valid)
                .mapToDouble(PeerResult::cpuPerMillion)
                .boxed()
                .reduce((a, b) -> a) // there is one
                .ifPresent(one -> cpu.put(
                        contestant,
                        stats(runs.stream().filter(PeerResult::valid).toList(), PeerResult::cpuPerMillion)
                                .median())));
        Double ours = cpu.entrySet().stream()
                .filter(entry -> entry.getKey().ours())
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
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

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
