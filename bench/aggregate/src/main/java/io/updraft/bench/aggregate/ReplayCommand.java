package io.updraft.bench.aggregate;

import io.updraft.bench.aggregate.data.MeasurementSequence;
import io.updraft.bench.aggregate.peer.PeerJob;
import io.updraft.bench.aggregate.run.BenchTopics;
import io.updraft.bench.aggregate.run.ReplayRun;
import io.updraft.bench.process.TemporaryTree;
import io.updraft.servers.KafkaServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code updraft bench aggregate replay}. */
@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Checks exactly-once: aggregates a day of records while processes are killed and paused at random.")
final class ReplayCommand extends Experiment {

    private static final String INPUT = "day";
    private static final String OUTPUT = "totals";
    private static final long MINUTE = 60_000;

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "12m",
            description = "Number of records. Default: ${DEFAULT-VALUE}.")
    private CountOption records;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "1440",
            description = "Length of the day in minutes of event time, with one window per minute. Default: "
                    + "${DEFAULT-VALUE}.")
    private int minutes;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "2k",
            description = "Number of keys: pairs of metric and source. Default: ${DEFAULT-VALUE}.")
    private CountOption keys;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "64",
            description = "Number of partitions of the input topic. Default: ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "60k",
            description = "Records written to the input topic per second. Default: ${DEFAULT-VALUE}.")
    private CountOption rate;

    @Option(
            names = "--faults",
            paramLabel = "N",
            defaultValue = "60",
            description =
                    "Approximate maximum number of kills and pauses, spread over the day; three of four are kills."
                            + " Default: ${DEFAULT-VALUE}.")
    private int faults;

    @Option(
            names = "--processes",
            paramLabel = "N",
            defaultValue = "3",
            description = "Number of processes that share the partitions. Default: ${DEFAULT-VALUE}.")
    private int processes;

    @Option(
            names = "--fault-seconds",
            paramLabel = "N",
            defaultValue = "4",
            description =
                    "Average seconds between two faults; longer if results do not progress. Default: ${DEFAULT-VALUE}.")
    private double faultSeconds;

    @Option(
            names = "--session",
            paramLabel = "N",
            defaultValue = "3",
            description =
                    "Session timeout in seconds: other processes take over the partitions of a process that sends no "
                            + "heartbeat for this long. Pauses last longer. Default: ${DEFAULT-VALUE}.")
    private int session;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            defaultValue = "512m",
            description = "Heap of each process. Default: ${DEFAULT-VALUE}.")
    private String heap;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the records and of the faults. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = "--logs",
            paramLabel = "DIR",
            description =
                    "New directory that keeps the processes' logs and the log of faults. Without this option, logs "
                            + "are kept in a temporary directory if the run is invalid, and deleted otherwise.")
    private Path logs;

    @Override
    public Integer call() throws IOException, InterruptedException {
        MeasurementSequence day = day();
        greet();
        Path directory = logs == null ? Files.createTempDirectory("updraft-replay-") : Files.createDirectories(logs);
        say(String.format(
                "%,d records of %,d keys in %d windows, %,d records/s, %d processes; seed %d",
                day.records(), day.keys(), day.windows(), rate.value(), processes, seed));
        ReplayRun.Result result;
        try (KafkaServer broker = BenchTopics.startBroker()) {
            ReplayRun run = new ReplayRun(new BenchTopics(broker), broker.bootstrap(), day);
            result = run.run(job(broker, day), plan(directory), this::say);
        }
        reportRun(day, result);
        boolean valid = result.problems().isEmpty();
        if (logs != null || !valid) {
            say("logs: " + directory);
        } else {
            TemporaryTree.delete(directory);
        }
        return valid ? 0 : 1;
    }

    private MeasurementSequence day() {
        if (processes < 1 || minutes < 1 || session < 1 || faults < 1 || faultSeconds <= 0) {
            throw wrong("--processes, --minutes, --faults and --session must be at least 1, --fault-seconds above 0");
        }
        long perWindow = Math.max(1, records.value() / minutes);
        return checked(() ->
                new MeasurementSequence(perWindow * minutes, keys.intValue(), partitions, perWindow, MINUTE, seed));
    }

    private PeerJob job(KafkaServer broker, MeasurementSequence day) {
        return new PeerJob(
                MeasuredSystem.UPDRAFT.peerClass(),
                broker.bootstrap(),
                INPUT,
                OUTPUT,
                day.partitions(),
                2,
                day.windowMillis(),
                Map.of("exactly-once", "true", "session", session + "s"));
    }

    private ReplayRun.Plan plan(Path directory) {
        Duration every = Duration.ofMillis((long) (faultSeconds * 1000));
        return new ReplayRun.Plan(
                processes, heap, rate.value(), seed, every, faults, Duration.ofSeconds(session), directory);
    }

    private void reportRun(MeasurementSequence day, ReplayRun.Result result) {
        say(String.format(
                "%d kills, %d pauses; %d processes ended unexpectedly; %,d records read, including re-reads",
                result.kills(), result.pauses(), result.endings().size(), result.read()));
        result.endings().forEach(ending -> say("  " + ending));
        List<String> silences = result.silences();
        say("longest silence: " + (silences.isEmpty() ? "none" : silences.get(0)));
        silences.stream().skip(1).forEach(silence -> say("  then " + silence));
        boolean valid = result.problems().isEmpty();
        if (valid) {
            say(String.format(
                    "%,d records in %.0f s: %,.0f records/s",
                    day.records(), result.seconds(), day.records() / result.seconds()));
        }
        say(String.format(
                "%,d of %,d results: %s",
                result.results(), result.expected(), valid ? "each once, totals exact" : "INVALID"));
        say(result.problems());
    }
}
