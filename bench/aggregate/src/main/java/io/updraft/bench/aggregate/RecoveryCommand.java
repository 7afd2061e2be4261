package io.updraft.bench.aggregate;

import io.updraft.bench.aggregate.data.ExpectedResults;
import io.updraft.bench.aggregate.data.MeasurementSequence;
import io.updraft.bench.aggregate.data.TopicLoader;
import io.updraft.bench.aggregate.peer.PeerJob;
import io.updraft.bench.aggregate.run.BenchTopics;
import io.updraft.bench.aggregate.run.RecoveryRun;
import io.updraft.servers.KafkaServer;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code updraft bench aggregate recovery}. */
@Command(
        name = "recovery",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Kills one of several processes at full load; measures the time to recover and checks that totals are "
                + "exact.")
final class RecoveryCommand extends Experiment {

    private static final String INPUT = "measurements";
    private static final long TARGET_MILLIS = 5_000;

    @Mixin
    private MeasurementOptions firehose;

    @Mixin
    private RunOptions runs;

    @Option(
            names = "--processes",
            paramLabel = "N",
            defaultValue = "3",
            description = "Number of processes; one is killed. Default: ${DEFAULT-VALUE}.")
    private int processes;

    @Option(
            names = "--session",
            paramLabel = "N",
            defaultValue = "3",
            description =
                    "Session timeout in seconds: other processes take over the partitions of a process that sends no "
                            + "heartbeat for this long. Default: ${DEFAULT-VALUE}.")
    private int session;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (processes < 2) {
            throw wrong("--processes must be at least 2: one process is killed, others take over");
        }
        if (session < 1) {
            throw wrong("--session must be at least 1 second");
        }
        greet();
        MeasurementSequence records = checked(firehose::firehose);
        ExpectedResults model = ExpectedResults.of(records);
        boolean valid = true;
        try (KafkaServer broker = BenchTopics.startBroker()) {
            BenchTopics topics = new BenchTopics(broker);
            topics.create(INPUT, records.partitions());
            TopicLoader.load(records, broker.bootstrap(), INPUT);
            for (int round = 1; round <= runs.number; round++) {
                RecoveryRun.Result result = new RecoveryRun(topics, model, runs.heap)
                        .run(job(broker, records, round), processes, records.records() + records.partitions());
                reportRun(result, round);
                valid &= result.problems().isEmpty() && result.millis() >= 0;
            }
        }
        return valid ? 0 : 1;
    }

    private PeerJob job(KafkaServer broker, MeasurementSequence records, int round) {
        return new PeerJob(
                MeasuredSystem.UPDRAFT.peerClass(),
                broker.bootstrap(),
                INPUT,
                "recovered-" + round,
                records.partitions(),
                runs.parallelism,
                records.windowMillis(),
                Map.of("exactly-once", "true", "session", session + "s"));
    }

    private void reportRun(RecoveryRun.Result result, int round) {
        say(String.format(
                "run %d of %d  %s; %d partitions moved, %,d records unread at the kill; totals %s; target %d ms: %s",
                round,
                runs.number,
                result.millis() < 0 ? "not recovered" : "recovered within " + result.millis() + " ms",
                result.lost(),
                result.left(),
                result.problems().isEmpty() ? "exact" : "INVALID",
                TARGET_MILLIS,
                result.millis() >= 0 && result.millis() < TARGET_MILLIS ? "met" : "not met"));
        say(result.problems());
    }
}
