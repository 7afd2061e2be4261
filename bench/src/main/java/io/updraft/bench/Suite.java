package io.updraft.bench;

import io.updraft.bench.spec.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures the eight results that Updraft promises. */
final class Suite {

    static final List<Integer> SWEEP = Sizes.MESSAGES.parse("10..10240");

    private static final int MESSAGE = 10;
    private static final int LARGE = 100;
    private static final int LARGE_LEVELS = 5;
    private static final long RATE = 100_000;
    private static final int HOSTED_GOAL = 5;
    private static final long UPDRAFT_EXTRA_MILLIS = 1500;
    private static final long STORM_EXTRA_MILLIS = 9000;

    static final Shape ONE_HOP = sol(1, 1, 1, true, 0);
    static final Shape TWO_HOPS = sol(1, 1, 2, true, 0);
    static final Shape UNTRACKED = sol(1, 1, 1, false, 0);
    static final Shape WORDS = new Shape("wordcount", 1, 4, 2, MESSAGE, true, 0);
    static final Shape MANY = sol(LARGE, LARGE, LARGE_LEVELS, true, 0);
    static final Shape PACED = sol(1, 1, 1, true, RATE);
    static final Shape WINDOWS = new Shape("windowsum", 1, 1, 1, MESSAGE, true, 0);
    static final Shape TRIDENT = new Shape("tridentwords", 2, 2, 1, MESSAGE, true, 0);

    /** The shapes that are also measured on Storm. */
    static final List<Shape> COMPARED = List.of(ONE_HOP, TWO_HOPS, UNTRACKED, WORDS, MANY, PACED, WINDOWS, TRIDENT);

    private final Request request;
    private final Contest contest;
    private final Console console;

    Suite(Request request, Contest contest, Console console) {
        this.request = request;
        this.contest = contest;
        this.console = console;
    }

    private static Shape sol(int spouts, int bolts, int levels, boolean acked, long rate) {
        return new Shape("sol", spouts, bolts, levels, MESSAGE, acked, rate);
    }

    /**
     * The results of the suite.
     *
     * @param verdicts one per promised value; a result may have several
     * @param series all measured series
     * @param sweep Updraft's series of the message-size sweep, a part of {@code series}
     */
    record Results(List<Verdict> verdicts, List<Series> series, List<Series> sweep) {}

    Results run() throws IOException, InterruptedException {
        console.say("The eight results take about " + minutes() + " minutes.");
        Pair oneHop = measure("1, 2, 4: spout -> bolt, acked", ONE_HOP);
        Pair twoHops = measure("1: spout -> bolt -> bolt, acked", TWO_HOPS);
        Pair untracked = measure("1, 2: spout -> bolt, un-acked", UNTRACKED);
        Pair words = measure("3: word count", WORDS);
        Pair many = measure("4: 100 spouts, 5 levels of 100 bolts", MANY);
        Pair paced = measure("5: " + RATE + " messages/s on a fixed schedule", PACED);
        Pair windows = measure("7: sums over windows of 30 numbers, every 10, acked", WINDOWS);
        Pair trident = measure("8: Trident's word count", TRIDENT);
        console.say("\n--- 6: message sizes");
        List<Series> sweep =
                contest.measure(SWEEP.stream().map(ONE_HOP::withMessageSize).toList(), false);
        List<Verdict> verdicts = List.of(
                Promises.speed(1, "spout -> bolt, acked", oneHop, 25),
                Promises.speed(1, "spout -> bolt -> bolt, acked", twoHops, 25),
                Promises.speed(1, "spout -> bolt, un-acked", untracked, 15),
                Promises.tracking(oneHop, untracked),
                Promises.speed(3, "word count, 4 counters", words, 8),
                Promises.largeTopology(many, oneHop),
                Promises.latency(paced),
                Promises.sizes(sweep),
                Promises.speed(7, "windowed sum, last 30 every 10, acked", windows, HOSTED_GOAL),
                Promises.speed(8, "Trident's word count, exactly once", trident, HOSTED_GOAL));
        List<Series> series = new ArrayList<>();
        for (Pair pair : List.of(oneHop, twoHops, untracked, words, many, paced, windows, trident)) {
            pair.all().forEach(series::add);
        }
        series.addAll(sweep);
        return new Results(verdicts, series, sweep);
    }

    /** {@return an estimate from the length of the runs and the usual time that runtimes take to start and drain} */
    private long minutes() {
        Request.Timing timing = request.timing();
        long run = timing.warmupMillis() + timing.testMillis();
        long all = timing.runs() * (COMPARED.size() + SWEEP.size()) * (run + UPDRAFT_EXTRA_MILLIS);
        if (request.vsStorm()) {
            all += timing.runs() * COMPARED.size() * (run + STORM_EXTRA_MILLIS);
            all += request.tune() ? tuningRuns() * (Math.min(run, 6000) + STORM_EXTRA_MILLIS) : 0;
        }
        return 1 + all / 60_000;
    }

    private long tuningRuns() {
        return COMPARED.stream()
                .mapToLong(shape -> StormSettings.candidates(shape, 0).size())
                .sum();
    }

    private Pair measure(String title, Shape shape) throws IOException, InterruptedException {
        console.say("\n--- " + title);
        return Pair.of(contest.measure(List.of(shape), request.vsStorm()));
    }
}
