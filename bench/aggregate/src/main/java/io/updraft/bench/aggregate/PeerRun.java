package io.updraft.bench.aggregate;

import io.updraft.bench.process.ChildLost;
import io.updraft.bench.spec.RunResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Runs peers. A run starts a JVM with the job, waits until the output topic has the expected number of results, takes the
 * process's usage, and compares every result with the model.
 */
final class PeerRun {

    /** The number of partitions of the output topic, so that two tasks can write at the same time. */
    static final int OUTPUT_PARTITIONS = 2;

    private static final long LOOK_MILLIS = 100;
    private static final Duration STALLED = Duration.ofMinutes(3);
    /** The fraction of the records that warm up: the JVM compiles, and Flink starts its cluster. */
    private static final double WARMUP = 0.3;

    private final BenchTopics topics;
    private final ExpectedResults model;
    private final long records;
    private final String heap;

    /**
     * The result of one run of a peer.
     *
     * @param run the measurement, which starts after the warm-up and ends with the last result; its messages are records
     * @param wholeCpuPerMillion CPU seconds per million records of the whole run, including the JVM's start and compilation
     */
    public record Result(PeerMain.Started peer, RunResult run, double wholeCpuPerMillion) {}

    public PeerRun(BenchTopics topics, ExpectedResults model, long records, String heap) {
        this.topics = topics;
        this.model = model;
        this.records = records;
        this.heap = heap;
    }

    /** {@return records per CPU second, which is the throughput of one core} */
    public static double perCore(RunResult run) {
        return 1e6 / run.cpuSecondsPerMillion();
    }

    /**
     * Runs a job.
     *
     * @param job the job; its output topic is created and deleted
     * @param updraft whether to use Updraft's Kafka client; otherwise that of Kafka Streams
     * @return the result; never null, also when the run failed
     */
    public Result run(PeerJob job, boolean updraft) throws IOException, InterruptedException {
        topics.create(job.output(), OUTPUT_PARTITIONS);
        try (PeerJvm child = new PeerJvm(job, heap, updraft)) {
            try {
                await(child, job.output());
                return result(child, child.end(), problems(job.output()));
            } catch (ChildLost e) {
                return new Result(child.started(), RunResult.failed(List.of(e.getMessage())), Double.NaN);
            }
        } finally {
            topics.delete(job.output());
        }
    }

    /** Waits until all results have arrived. */
    private void await(PeerJvm child, String output) throws InterruptedException {
        long last = -1;
        long lastChange = System.nanoTime();
        long results = 0;
        while (results < model.results()) {
            Thread.sleep(LOOK_MILLIS);
            results = topics.records(output, OUTPUT_PARTITIONS);
            List<PeerUsage> samples = child.samples();
            long read = samples.isEmpty() ? 0 : samples.get(samples.size() - 1).records();
            if (results + read != last) {
                last = results + read;
                lastChange = System.nanoTime();
            } else if (System.nanoTime() - lastChange > STALLED.toNanos()) {
                throw child.lost("no progress for " + STALLED.toSeconds() + " s, with " + results + " of "
                        + model.results() + " results");
            }
        }
    }

    private List<String> problems(String output) throws InterruptedException {
        ResultCheck check = new ResultCheck(model);
        topics.readAll(output, OUTPUT_PARTITIONS, result -> check.result(result.value()));
        return check.problems();
    }

    private Result result(PeerJvm child, PeerUsage end, List<String> problems) {
        PeerUsage start = child.usages().stream()
                .filter(sample -> sample.records() >= records * WARMUP)
                .findFirst()
                .orElse(end);
        RunResult run = RunResult.of(
                problems,
                Math.max(1, end.millis() - start.millis()) * 1_000_000,
                Math.max(0, records - start.records()),
                end.usage().since(start.usage()));
        return new Result(child.started(), run, end.usage().cpuNanos() / 1e3 / records);
    }
}
