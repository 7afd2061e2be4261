package io.updraft.bench.aggregate.run;

import io.updraft.bench.aggregate.data.Firehose;
import io.updraft.bench.aggregate.data.Model;
import io.updraft.bench.aggregate.peer.Job;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A day's records come to a topic at a steady rate; processes of one group make windows of them, and are killed and paused again and
 * again, until the results of the whole day are there. Each must be there once, and be what the model says.
 */
public final class ReplayRun {

    private static final Duration STALLED = Duration.ofMinutes(5);
    private static final Duration QUIET = Duration.ofSeconds(10);
    private static final Duration TELL = Duration.ofSeconds(10);

    private final Topics topics;
    private final String bootstrapServers;
    private final Firehose firehose;
    private final Model model;

    /** Prepares a run; the job's topics are created by it. */
    public ReplayRun(Topics topics, String bootstrapServers, Firehose firehose) {
        this.topics = topics;
        this.bootstrapServers = bootstrapServers;
        this.firehose = firehose;
        this.model = Model.of(firehose);
    }

    /**
     * How the processes are treated.
     *
     * @param processes how many
     * @param heap of each
     * @param rate records that come each second
     * @param seed of what happens when
     * @param every from one fault to the next, on average, if that is not too soon
     * @param faults how many there are at most, about; they are spread over the day
     * @param session after how long a process counts as dead
     * @param logs where their logs go; is there
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
     * How it went.
     *
     * @param kills processes killed
     * @param pauses processes paused
     * @param endings why processes ended that did so by themselves
     * @param results that are there and right
     * @param expected results by the model
     * @param seconds from the first record to the last result
     * @param read records that processes have read, some of them more than once
     * @param silences the longest, for which no result came of some partition
     * @param problems what is wrong; empty if every result is there once, and right
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
     * Runs.
     *
     * @param job what each process does
     * @param plan how they are treated
     * @param progress gets a line now and then
     * @return how it went
     * @throws IOException when no JVM can be started
     * @throws InterruptedException when this thread is interrupted
     */
    public Result run(Job job, Plan plan, Consumer<String> progress) throws IOException, InterruptedException {
        topics.create(job.input(), firehose.partitions());
        topics.create(job.output(), PeerRun.OUTPUT_PARTITIONS);
        try (Fleet fleet = new Fleet(job.toJson(), plan.processes(), plan.heap(), plan.logs());
                ResultTail tail = new ResultTail(topics, job.output(), firehose, model);
                Feeder feeder = new Feeder(firehose, bootstrapServers, job.input(), plan.rate())) {
            for (int place = 0; place < plan.processes(); place++) {
                fleet.start(place);
            }
            return new Day(plan, fleet, tail, feeder).run(progress);
        }
    }

    /** One run, from when all has been started. */
    private final class Day {

        private final Plan plan;
        private final Fleet fleet;
        private final ResultTail tail;
        private final Feeder feeder;
        private final Faults faults;
        private final long began = System.nanoTime();
        private final List<String> problems = new ArrayList<>();
        private long heard = began;
        private long told = began;

        private Day(Plan plan, Fleet fleet, ResultTail tail, Feeder feeder) {
            this.plan = plan;
            this.fleet = fleet;
            this.tail = tail;
            this.feeder = feeder;
            long least = 2 * model.results() / plan.faults();
            faults = new Faults(fleet, plan.seed(), plan.every(), plan.session(), least, began);
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
            Files.write(plan.logs().resolve("faults.log"), faults.told());
            return result(seconds);
        }

        private void step() throws IOException, InterruptedException {
            int count = tail.poll();
            long now = System.nanoTime();
            heard = count > 0 ? now : heard;
            faults.step(now, tail.check().found());
            fleet.revive();
            if (feeder.failure() != null) {
                problems.add("records could not be written: " + feeder.failure());
            } else if (now - heard > STALLED.toNanos()) {
                problems.add("no result came for " + STALLED.toSeconds() + " s");
            }
        }

        private void tell(Consumer<String> progress) {
            if (System.nanoTime() - told >= TELL.toNanos()) {
                told = System.nanoTime();
                progress.accept(String.format(
                        "%,d of %,d records written, %,d of %,d results there; %d kills, %d pauses",
                        feeder.written(),
                        firehose.records(),
                        tail.check().found(),
                        model.results(),
                        faults.kills(),
                        faults.pauses()));
            }
        }

        /** Processes that were paused go on meanwhile: what they write now would be there twice. */
        private void awaitQuiet() throws IOException, InterruptedException {
            long deadline = System.nanoTime() + STALLED.toNanos();
            heard = System.nanoTime();
            while (System.nanoTime() - heard < QUIET.toNanos() || !tail.isAtEnd()) {
                heard = tail.poll() > 0 ? System.nanoTime() : heard;
                fleet.revive();
                if (System.nanoTime() - deadline > 0) {
                    problems.add("results, or transactions, do not come to an end");
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

    private static String text(Silences.Silence silence, Faults faults) {
        return String.format(
                "%.1f s of partition %d from second %.1f on, with %d kills and pauses meanwhile",
                silence.millis() / 1e3,
                silence.partition(),
                silence.from() / 1e3,
                faults.within(silence.from(), silence.from() + silence.millis()));
    }
}
