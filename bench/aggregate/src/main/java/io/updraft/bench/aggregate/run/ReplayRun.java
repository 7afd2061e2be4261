package io.updraft.bench.aggregate.run;

import io.updraft.base.json.Json;
import io.updraft.bench.aggregate.data.ExpectedResults;
import io.updraft.bench.aggregate.data.MeasurementSequence;
import io.updraft.bench.aggregate.peer.PeerJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Replays a day of records under faults. The records are written to a topic at a steady rate. Processes of one consumer group
 * aggregate them, and are killed and paused repeatedly until all results have arrived. Every result must arrive once and equal
 * the model's.
 */
public final class ReplayRun {

    private static final Duration STALLED = Duration.ofMinutes(5);
    private static final Duration QUIET = Duration.ofSeconds(10);
    private static final Duration TELL = Duration.ofSeconds(10);

    private final BenchTopics topics;
    private final String bootstrapServers;
    private final MeasurementSequence firehose;
    private final ExpectedResults model;

    /** Prepares a run. The run creates the job's topics. */
    public ReplayRun(BenchTopics topics, String bootstrapServers, MeasurementSequence firehose) {
        this.topics = topics;
        this.bootstrapServers = bootstrapServers;
        this.firehose = firehose;
        this.model = ExpectedResults.of(firehose);
    }

    /**
     * The processes and faults of a run.
     *
     * @param processes the number of processes
     * @param heap the heap of each process
     * @param rate records written per second
     * @param seed the seed of the faults
     * @param every the average time between two faults; longer when results do not progress
     * @param faults the approximate maximum number of faults, spread over the day
     * @param session the session timeout
     * @param logs an existing directory for logs
     */
    public record Plan(
            int processes,
            String heap,
            long rate,
            long seed,
            Duration every,
            int faults,
            Duration session,
            Path logs) {}

    /**
     * The result of a run.
     *
     * @param kills the number of kills
     * @param pauses the number of pauses
     * @param endings the reasons of unexpected ends of processes
     * @param results the number of right results
     * @param expected the number of results in the model
     * @param seconds seconds from the start to the last result
     * @param read the number of records read by all processes, including re-reads
     * @param silences the longest times without a result of a partition, as text
     * @param problems the problems; empty if every result arrived once and is right
     */
    public record Result(
            int kills,
            int pauses,
            List<String> endings,
            long results,
            long expected,
            double seconds,
            long read,
            List<String> silences,
            List<String> problems) {}

    /**
     * Executes a run.
     *
     * @param job the job of each process
     * @param progress receives a progress line every 10 s
     */
    public Result run(PeerJob job, Plan plan, Consumer<String> progress) throws IOException, InterruptedException {
        topics.create(job.input(), firehose.partitions());
        topics.create(job.output(), PeerRun.OUTPUT_PARTITIONS);
        try (ProcessGroup fleet = new ProcessGroup(Json.write(job), plan.processes(), plan.heap(), plan.logs());
                ResultTail tail = new ResultTail(topics, job.output(), firehose, model);
                PacedLoader feeder = new PacedLoader(firehose, bootstrapServers, job.input(), plan.rate())) {
            for (int place = 0; place < plan.processes(); place++) {
                fleet.start(place);
            }
            return new Day(plan, fleet, tail, feeder).run(progress);
        }
    }

    /** One run, after all processes have been started. */
    private final class Day {

        private final Plan plan;
        private final ProcessGroup fleet;
        private final ResultTail tail;
        private final PacedLoader feeder;
        private final ProcessFaults faults;
        private final long began = System.nanoTime();
        private final List<String> problems = new ArrayList<>();
        private long heard = began;
        private long reported = began;

        private Day(Plan plan, ProcessGroup fleet, ResultTail tail, PacedLoader feeder) {
            this.plan = plan;
            this.fleet = fleet;
            this.tail = tail;
            this.feeder = feeder;
            long least = 2 * model.results() / plan.faults();
            faults = new ProcessFaults(fleet, plan.seed(), plan.every(), plan.session(), least, began);
        }

        private Result run(Consumer<String> progress) throws IOException, InterruptedException {
            while (tail.check().found() < model.results() && problems.isEmpty()) {
                step();
                tell(progress);
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            faults.end(System.nanoTime());
            awaitQuiet();
            problems.addAll(0, tail.check().problems());
            Files.write(plan.logs().resolve("faults.log"), faults.log());
            return result(seconds);
        }

        private void step() throws IOException, InterruptedException {
            int count = tail.poll();
            long now = System.nanoTime();
            heard = count > 0 ? now : heard;
            faults.step(now, tail.check().found());
            fleet.restartEnded();
            if (feeder.failure() != null) {
                problems.add("records could not be written: " + feeder.failure());
            } else if (now - heard > STALLED.toNanos()) {
                problems.add("no result arrived for " + STALLED.toSeconds() + " s");
            }
        }

        private void tell(Consumer<String> progress) {
            if (System.nanoTime() - reported >= TELL.toNanos()) {
                reported = System.nanoTime();
                progress.accept(String.format(
                        "%,d of %,d records written, %,d of %,d results arrived; %d kills, %d pauses",
                        feeder.written(),
                        firehose.records(),
                        tail.check().found(),
                        model.results(),
                        faults.kills(),
                        faults.pauses()));
            }
        }

        /** Waits until no results arrive for 10 s. Resumed processes may still write, and would then write duplicates. */
        private void awaitQuiet() throws IOException, InterruptedException {
            long deadline = System.nanoTime() + STALLED.toNanos();
            heard = System.nanoTime();
            while (System.nanoTime() - heard < QUIET.toNanos() || !tail.isAtEnd()) {
                heard = tail.poll() > 0 ? System.nanoTime() : heard;
                fleet.restartEnded();
                if (System.nanoTime() - deadline > 0) {
                    problems.add("results keep arriving or a transaction stays open after the last expected result");
                    return;
                }
            }
        }

        private Result result(double seconds) {
            return new Result(
                    faults.kills(),
                    faults.pauses(),
                    fleet.endings(),
                    tail.check().found(),
                    model.results(),
                    seconds,
                    fleet.records(),
                    tail.silences().worst().stream()
                            .map(silence -> text(silence, faults))
                            .toList(),
                    problems);
        }
    }

    private static String text(ResultGaps.Gap silence, ProcessFaults faults) {
        return String.format(
                "%.1f s without a result of partition %d, from second %.1f on, with %d kills and pauses meanwhile",
                silence.millis() / 1e3,
                silence.partition(),
                silence.from() / 1e3,
                faults.within(silence.from(), silence.from() + silence.millis()));
    }
}
