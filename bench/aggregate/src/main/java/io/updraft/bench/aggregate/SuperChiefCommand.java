package io.updraft.bench.aggregate;

import io.updraft.bench.aggregate.data.ExpectedResults;
import io.updraft.bench.aggregate.data.MeasurementSequence;
import io.updraft.bench.aggregate.data.TopicLoader;
import io.updraft.bench.aggregate.peer.PeerJob;
import io.updraft.bench.aggregate.run.BenchTopics;
import io.updraft.bench.aggregate.run.LatencyRun;
import io.updraft.bench.aggregate.run.PeerResult;
import io.updraft.bench.aggregate.run.PeerRun;
import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.report.Statistics;
import io.updraft.servers.KafkaServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code updraft bench aggregate superchief}. */
@Command(
        name = "superchief",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Kafka -> one-minute aggregates -> Kafka: messages/s per core, and latency at half of the maximum "
                + "rate.",
        description = {
            "",
            "CPU time is that of the consumer process only; the broker and the producer are other processes. The "
                    + "latency of a message is the time from the end of its window until the window's result is in "
                    + "the output topic.",
            ""
        })
final class SuperChiefCommand extends Experiment {

    private static final String INPUT = "measurements";
    private static final double TARGET_PER_CORE = 600_000;
    private static final double TARGET_MILLIS = 5_000;

    @Mixin
    private MeasurementOptions firehose;

    @Mixin
    private RunOptions runs;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Messages/s during the latency measurement. Default: half of the measured throughput.")
    private CountOption rate;

    @Option(
            names = "--latency-windows",
            paramLabel = "N",
            defaultValue = "3",
            description = "Number of windows of the latency measurement; 0 skips it. Default: ${DEFAULT-VALUE}.")
    private int windows;

    @Option(
            names = "--latency-window",
            paramLabel = "SEC",
            defaultValue = "60",
            description = "Length of these windows in seconds. Default: ${DEFAULT-VALUE}.")
    private int windowSeconds;

    @Option(names = "-c", paramLabel = "KEY=VALUE", description = "Option of the pipeline, such as exactly-once=true.")
    private Map<String, String> options = new LinkedHashMap<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        greet();
        MeasurementSequence records = checked(firehose::firehose);
        try (KafkaServer broker = BenchTopics.startBroker()) {
            BenchTopics topics = new BenchTopics(broker);
            topics.create(INPUT, records.partitions());
            TopicLoader.load(records, broker.bootstrap(), INPUT);
            List<PeerResult> valid = throughput(topics, broker, records);
            if (valid.isEmpty()) {
                return 1;
            }
            boolean good = windows == 0 || latency(topics, broker, records, valid);
            return good && valid.size() == runs.number ? 0 : 1;
        }
    }

    private List<PeerResult> throughput(BenchTopics topics, KafkaServer broker, MeasurementSequence records)
            throws IOException, InterruptedException {
        PeerRun run =
                new PeerRun(topics, ExpectedResults.of(records), records.records() + records.partitions(), runs.heap);
        List<PeerResult> valid = new ArrayList<>();
        for (int round = 1; round <= runs.number; round++) {
            PeerResult result = run.run(job(broker, INPUT, "results-" + round, records, records.windowMillis()), true);
            say(String.format(
                    "run %d of %d  %s messages/s, %s per core%s",
                    round,
                    runs.number,
                    NumberFormats.count(result.recordsPerSecond()),
                    NumberFormats.count(result.recordsPerCore()),
                    result.valid() ? "" : "  INVALID"));
            say(result.problems());
            if (result.valid()) {
                valid.add(result);
            }
        }
        if (!valid.isEmpty()) {
            double perCore = Statistics.of(valid.stream()
                            .mapToDouble(PeerResult::recordsPerCore)
                            .toArray())
                    .median();
            say(String.format(
                    "%nmedian %s messages/s per core of the consumer process; target %s: %s",
                    NumberFormats.count(perCore),
                    NumberFormats.count(TARGET_PER_CORE),
                    perCore >= TARGET_PER_CORE ? "met" : "not met"));
        }
        return valid;
    }

    private boolean latency(BenchTopics topics, KafkaServer broker, MeasurementSequence records, List<PeerResult> valid)
            throws IOException, InterruptedException {
        double reached = Statistics.of(
                        valid.stream().mapToDouble(PeerResult::recordsPerSecond).toArray())
                .median();
        long perSecond = rate == null ? (long) (reached / 2) : rate.value();
        long windowMillis = windowSeconds * 1000L;
        MeasurementSequence paced = new MeasurementSequence(
                records.records(),
                records.keys(),
                records.partitions(),
                records.recordsPerWindow(),
                windowMillis,
                records.seed());
        LatencyRun.Result result = new LatencyRun(topics, broker.bootstrap(), paced)
                .run(job(broker, "paced", "paced-results", records, windowMillis), runs.heap, perSecond, windows);
        Histogram latency = result.latency();
        say(String.format(
                "at %s messages/s, %s cores busy, latency after the end of windows of %d s: p50 %d ms, p99 %d ms, "
                        + "p999 %d ms; target p999 %.0f ms: %s",
                NumberFormats.count(perSecond),
                NumberFormats.decimal(result.cores()),
                windowSeconds,
                latency.getValueAtPercentile(50),
                latency.getValueAtPercentile(99),
                latency.getValueAtPercentile(99.9),
                TARGET_MILLIS,
                result.problems().isEmpty() && latency.getValueAtPercentile(99.9) < TARGET_MILLIS ? "met" : "not met"));
        result.problems().forEach(problem -> say("  INVALID: " + problem));
        return result.problems().isEmpty();
    }

    private PeerJob job(
            KafkaServer broker, String input, String output, MeasurementSequence records, long windowMillis) {
        return new PeerJob(
                MeasuredSystem.UPDRAFT.peerClass(),
                broker.bootstrap(),
                input,
                output,
                records.partitions(),
                runs.parallelism,
                windowMillis,
                options);
    }
}
