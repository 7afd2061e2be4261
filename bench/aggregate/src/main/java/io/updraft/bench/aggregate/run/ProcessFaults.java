package io.updraft.bench.aggregate.run;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Kills and pauses processes of a fleet at random times given by a seed, and restarts or resumes them later. A pause is longer
 * than the session timeout, so other processes take over the partitions, and the paused process then continues as if it still
 * had them. A fault may happen before the fleet has recovered from the previous one. The next fault after that waits for enough
 * results, because processes that are killed faster than they start never finish. One thread only.
 */
final class ProcessFaults {

    private static final double PAUSES = 0.25;
    private static final double LONGEST_DEATH_SECONDS = 2;

    private record Later(long nanos, int place, String what, Step step) {}

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    private final ProcessGroup fleet;
    private final Random random;
    private final Duration every;
    private final Duration session;
    private final long least;
    private final long began;
    private final PriorityQueue<Later> later = new PriorityQueue<>(Comparator.comparingLong(Later::nanos));
    private final List<String> log = new ArrayList<>();
    private final List<Long> faultTimes = new ArrayList<>();
    private long next;
    private int kills;
    private int pauses;
    private long resultsAtLast;
    private long resultsBeforeLast = Long.MIN_VALUE / 2;

    /**
     * Creates the faults of a fleet that has been started.
     *
     * @param seed the seed of the random choices
     * @param every the average time between two faults
     * @param least the minimum number of results between a fault and the second one after it
     * @param now the time, by {@link System#nanoTime}
     */
    ProcessFaults(ProcessGroup fleet, long seed, Duration every, Duration session, long least, long now) {
        this.fleet = fleet;
        this.random = new Random(seed);
        this.every = every;
        this.session = session;
        this.least = least;
        this.began = now;
        this.next = now + gap();
    }

    private long gap() {
        return (long) (every.toNanos() * (0.2 + 1.6 * random.nextDouble()));
    }

    int kills() {
        return kills;
    }

    int pauses() {
        return pauses;
    }

    /** {@return the number of kills and pauses in a time range, given in milliseconds since the start} */
    long within(long from, long to) {
        return faultTimes.stream()
                .filter(millis -> millis >= from && millis <= to)
                .count();
    }

    /** {@return one line with time, action and process per action} */
    List<String> log() {
        return List.copyOf(log);
    }

    /**
     * Executes the actions that are due.
     *
     * @param results the number of results so far
     */
    void step(long now, long results) throws IOException, InterruptedException {
        runDue(now);
        if (now - next >= 0 && results - resultsBeforeLast >= least) {
            next = now + gap();
            resultsBeforeLast = resultsAtLast;
            resultsAtLast = results;
            boolean pause = random.nextDouble() < PAUSES;
            int[] victims = IntStream.range(0, fleet.places())
                    .filter(place -> fleet.isRunning(place) && !(pause && fleet.isPaused(place)))
                    .toArray();
            int choice = random.nextInt(Integer.MAX_VALUE);
            double length = random.nextDouble();
            if (victims.length > 0) {
                strike(pause, victims[choice % victims.length], length, now);
            }
        }
    }

    private void strike(boolean pause, int place, double length, long now) throws IOException, InterruptedException {
        later.removeIf(each -> each.place == place);
        faultTimes.add((now - began) / 1_000_000);
        if (pause) {
            pauses++;
            record(now, "pause", place);
            fleet.pause(place);
            long nanos = (long) (session.toNanos() * (1.5 + 1.5 * length));
            later.add(new Later(now + nanos, place, "resume", () -> fleet.resume(place)));
        } else {
            kills++;
            record(now, fleet.isPaused(place) ? "kill, paused," : "kill", place);
            fleet.kill(place);
            long nanos = (long) (LONGEST_DEATH_SECONDS * 1e9 * length);
            later.add(new Later(now + nanos, place, "start", () -> fleet.start(place)));
        }
    }

    private void runDue(long now) throws IOException, InterruptedException {
        while (!later.isEmpty() && now - later.peek().nanos >= 0) {
            Later due = later.remove();
            if (due.what.equals("start") || fleet.isPaused(due.place)) {
                record(now, due.what, due.place);
                due.step.run();
            }
        }
    }

    /** Ends the faults: restarts all dead processes and resumes all paused ones. No further fault happens. */
    void end(long now) throws IOException, InterruptedException {
        next = Long.MAX_VALUE;
        runDue(now + Duration.ofDays(1).toNanos());
    }

    private void record(long now, String what, int place) {
        log.add(String.format("%tT.%<tL %7.1f s  %s %d", System.currentTimeMillis(), (now - began) / 1e9, what, place));
    }
}
