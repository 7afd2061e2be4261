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
 * Kills and pauses processes of a fleet at random moments, which a seed gives, and has them go on after a while. A pause is longer than
 * the session, so that the others take over what a process has which then goes on as if nothing had been. A process may be struck
 * while others have not got over what came before; but not a third one before enough results have come, as processes that are killed
 * faster than they start would never come to an end. One thread only.
 */
final class Faults {

    private static final double PAUSES = 0.25;
    private static final double LONGEST_DEATH_SECONDS = 2;

    private record Later(long nanos, int place, String what, Step step) {}

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    private final Fleet fleet;
    private final Random random;
    private final Duration every;
    private final Duration session;
    private final long least;
    private final long began;
    private final PriorityQueue<Later> later = new PriorityQueue<>(Comparator.comparingLong(Later::nanos));
    private final List<String> told = new ArrayList<>();
    private final List<Long> struck = new ArrayList<>();
    private long next;
    private int kills;
    private int pauses;
    private long resultsAtLast;
    private long resultsBeforeLast = Long.MIN_VALUE / 2;

    /**
     * Faults of a fleet that has been started.
     *
     * @param seed of what happens when
     * @param every how long it is from one to the next, on average
     * @param session after how long others take a process for dead
     * @param least results that come, at least, from a fault to the second one after it
     * @param now by {@link System#nanoTime}
     */
    Faults(Fleet fleet, long seed, Duration every, Duration session, long least, long now) {
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

    /** {@return how many processes were killed or paused within some time, milliseconds since the beginning} */
    long within(long from, long to) {
        return struck.stream().filter(millis -> millis >= from && millis <= to).count();
    }

    /** {@return what has happened when, one line each} */
    List<String> told() {
        return List.copyOf(told);
    }

    /**
     * Does what is due.
     *
     * @param results how many have come
     */
    void step(long now, long results) throws IOException, InterruptedException {
        goOn(now);
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
        struck.add((now - began) / 1_000_000);
        if (pause) {
            pauses++;
            tell(now, "pause", place);
            fleet.pause(place);
            long nanos = (long) (session.toNanos() * (1.5 + 1.5 * length));
            later.add(new Later(now + nanos, place, "resume", () -> fleet.resume(place)));
        } else {
            kills++;
            tell(now, fleet.isPaused(place) ? "kill, paused," : "kill", place);
            fleet.kill(place);
            long nanos = (long) (LONGEST_DEATH_SECONDS * 1e9 * length);
            later.add(new Later(now + nanos, place, "start", () -> fleet.start(place)));
        }
    }

    private void goOn(long now) throws IOException, InterruptedException {
        while (!later.isEmpty() && now - later.peek().nanos >= 0) {
            Later due = later.remove();
            if (due.what.equals("start") || fleet.isPaused(due.place)) {
                tell(now, due.what, due.place);
                due.step.run();
            }
        }
    }

    /** Nothing more happens, but that all go on which are paused or dead. */
    void end(long now) throws IOException, InterruptedException {
        next = Long.MAX_VALUE;
        goOn(now + Duration.ofDays(1).toNanos());
    }

    private void tell(long now, String what, int place) {
        told.add(
                String.format("%tT.%<tL %7.1f s  %s %d", System.currentTimeMillis(), (now - began) / 1e9, what, place));
    }
}
