package io.updraft.bench.aggregate;

import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.spec.RunResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
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
final class SuperChiefCommand extends KafkaExperiment {

    private static final double TARGET_PER_CORE = 600_000;
    private static final double TARGET_MILLIS = 5_000;

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

    @Override
    boolean measure() throws IOException, InterruptedException {
        List<RunResult> runs = new ArrayList<>();
        for (int round = 1; round <= number; round++) {
            runs.add(run(MeasuredSystem.UPDRAFT, round).run());
        }
        if (runs.stream().noneMatch(RunResult::valid)) {
            return false;
        }
        double perCore = median(runs, PeerRun::perCore);
        say(
                "%nmedian %s messages/s per core of the consumer process; target %s: %s",
                NumberFormats.count(perCore),
                NumberFormats.count(TARGET_PER_CORE),
                perCore >= TARGET_PER_CORE ? "met" : "not met");
        return (windows == 0 || latency(median(runs, RunResult::messagesPerSecond) / 2))
                && runs.stream().allMatch(RunResult::valid);
    }

    private boolean latency(double halfOfThroughput) throws IOException, InterruptedException {
        long perSecond = rate == null ? (long) halfOfThroughput : rate.value();
        MeasurementSequence paced = records.withWindow(windowSeconds * 1000L);
        LatencyRun.Result result = new LatencyRun(topics, paced)
                .run(
                        job(MeasuredSystem.UPDRAFT, "paced", "paced-results", paced.windowMillis()),
                        heap,
                        perSecond,
                        windows);
        Histogram latency = result.latency();
        boolean met = result.problems().isEmpty() && latency.getValueAtPercentile(99.9) < TARGET_MILLIS;
        say(
                "at %s messages/s, %s cores busy, latency after the end of windows of %d s: p50 %d ms, p99 %d ms, "
                        + "p999 %d ms; target p999 %.0f ms: %s",
                NumberFormats.count(perSecond),
                NumberFormats.decimal(result.cores()),
                windowSeconds,
                latency.getValueAtPercentile(50),
                latency.getValueAtPercentile(99),
                latency.getValueAtPercentile(99.9),
                TARGET_MILLIS,
                met ? "met" : "not met");
        result.problems().forEach(problem -> say("  INVALID: " + problem));
        return result.problems().isEmpty();
    }
}
