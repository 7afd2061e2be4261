package io.updraft.bench;

import io.updraft.bench.spec.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Measures the eight results that Updraft promises. */
final class PromiseSuite {

    static final List<Integer> SWEEP = ByteSizes.MESSAGES.parse("10..10240");

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

    private final BenchRequest request;
    private final AlternatingRuns contest;
    private final ProgressConsole console;

    PromiseSuite(BenchRequest request, AlternatingRuns contest, ProgressConsole console) {
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
     * @param sweep Updraft's series of the message-size sweep, a part of {@code series}
     */
    record Results(List<Verdict> verdicts, List<Series> series, List<Series> sweep) {}

    Results run() throws IOException, InterruptedException {
        console.say("The eight results take about " + minutes() + " minutes.");
        SeriesPair oneHop = measure("1, 2, 4: spout -> bolt, acked", ONE_HOP);
        SeriesPair twoHops = measure("1: spout -> bolt -> bolt, acked", TWO_HOPS);
        SeriesPair untracked = measure("1, 2: spout -> bolt, un-acked", UNTRACKED);
        SeriesPair words = measure("3: word count", WORDS);
        SeriesPair many = measure("4: 100 spouts, 5 levels of 100 bolts", MANY);
        SeriesPair paced = measure("5: " + RATE + " messages/s on a fixed schedule", PACED);
        SeriesPair windows = measure("7: sums over windows of 30 numbers, every 10, acked", WINDOWS);
        SeriesPair trident = measure("8: Trident's word count", TRIDENT);
        console.say("\n--- 6: message sizes");
        List<Series> sweep =
                contest.measure(SWEEP.stream().map(ONE_HOP::withMessageSize).toList(), Set.of());
        List<Verdict> verdicts = List.of(
                Verdict.speed(1, "spout -> bolt, acked", oneHop, 25),
                Verdict.speed(1, "spout -> bolt -> bolt, acked", twoHops, 25),
                Verdict.speed(1, "spout -> bolt, un-acked", untracked, 15),
                Verdict.tracking(oneHop, untracked),
                Verdict.speed(3, "word count, 4 counters", words, 8),
                Verdict.largeTopology(many, oneHop),
                Verdict.latency(paced),
                Verdict.sizes(sweep),
                Verdict.speed(7, "windowed sum, last 30 every 10, acked", windows, HOSTED_GOAL),
                Verdict.speed(8, "Trident's word count, exactly once", trident, HOSTED_GOAL));
        List<Series> series = new ArrayList<>();
        for (SeriesPair pair : List.of(oneHop, twoHops, untracked, words, many, paced, windows, trident)) {
            pair.all().forEach(series::add);
        }
        series.addAll(sweep);
        return new Results(verdicts, series, sweep);
    }

    /** {@return an estimate from the length of the runs and the usual time that runtimes take to start and drain} */
    private long minutes() {
        BenchRequest.Timing timing = request.timing();
        long run = timing.warmupMillis() + timing.testMillis();
        long all = timing.runs() * (COMPARED.size() + SWEEP.size()) * (run + UPDRAFT_EXTRA_MILLIS);
        if (request.peers().contains(BenchSide.STORM)) {
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

    private SeriesPair measure(String title, Shape shape) throws IOException, InterruptedException {
        console.say("\n--- " + title);
        return SeriesPair.of(contest.measure(List.of(shape), request.peers()));
    }
}
