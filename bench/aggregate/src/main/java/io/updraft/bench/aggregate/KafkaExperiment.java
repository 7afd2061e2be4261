package io.updraft.bench.aggregate;

import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.spec.RunResult;
import io.updraft.servers.KafkaServer;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** An experiment whose systems read a topic of measurements from the beginning and write aggregates to another. */
abstract class KafkaExperiment extends Experiment {

    private static final String INPUT = "measurements";
    private static final long MINUTE = 60_000;

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "10m",
            description = "Number of records. Default: ${DEFAULT-VALUE}.")
    private CountOption size;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "10k",
            description = "Number of keys: pairs of metric and source. Default: ${DEFAULT-VALUE}.")
    private CountOption keys;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "64",
            description = "Number of partitions of the input topic. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(
            names = "--per-window",
            paramLabel = "N",
            defaultValue = "600k",
            description = "Records per window of one minute; 600k is one record per second for each of 10,000 keys. "
                    + "Default: ${DEFAULT-VALUE}.")
    private CountOption perWindow;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the generated records. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "-c",
            paramLabel = "KEY=VALUE",
            description = "Option of a system, such as exactly-once=true of Updraft; 'peers' lists each system's "
                    + "settings. May be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    @Mixin
    private TaskOption tasks = new TaskOption();

    MeasurementSequence records;
    BenchTopics topics;
    private PeerRun peers;

    @Override
    public final Integer call() throws IOException, InterruptedException {
        greet();
        records = records();
        ExpectedResults model = ExpectedResults.of(records);
        try (KafkaServer broker = BenchTopics.startBroker()) {
            topics = new BenchTopics(broker);
            load(model);
            peers = new PeerRun(topics, model, records.records() + records.partitions(), heap);
            return measure() ? 0 : 1;
        }
    }

    private MeasurementSequence records() {
        try {
            return new MeasurementSequence(size.value(), keys.intValue(), partitions, perWindow.value(), MINUTE, seed);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private void load(ExpectedResults model) {
        topics.create(INPUT, partitions);
        long began = System.nanoTime();
        TopicLoader.load(records, topics.bootstrap(), INPUT);
        say(
                "wrote %,d records of %,d keys in %d partitions and %d windows, seed %d, in %s; %,d results expected",
                records.records(),
                records.keys(),
                partitions,
                records.windows(),
                seed,
                NumberFormats.time(System.nanoTime() - began),
                model.results());
    }

    /** {@return whether all runs were valid} */
    abstract boolean measure() throws IOException, InterruptedException;

    /** Runs a system once, on all records. */
    final PeerRun.Result run(MeasuredSystem system, int round) throws IOException, InterruptedException {
        PeerJob job = job(system, INPUT, "results-" + system + "-" + round, MINUTE);
        PeerRun.Result result = peers.run(job, !system.isOther());
        RunResult run = result.run();
        String figures = NumberFormats.count(run.messagesPerSecond()) + " records/s, "
                + NumberFormats.decimal(run.cpuSecondsPerMillion()) + " CPU s per million, "
                + NumberFormats.count(PeerRun.perCore(run)) + " records/s per core";
        sayRun(String.format("%-10s ", system), round, figures, run);
        return result;
    }

    final PeerJob job(MeasuredSystem system, String input, String output, long windowMillis) {
        return new PeerJob(
                system.peerClass(),
                topics.bootstrap(),
                input,
                output,
                partitions,
                tasks.parallelism,
                windowMillis,
                options);
    }
}
