package io.updraft.bench;

import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.spec.LatencyPercentiles;
import java.util.List;

/**
 * One promised result.
 *
 * @param number the result's number, from 1 to 8
 * @param storm Storm's value, or {@code -}
 * @param value Updraft's value as a number, comparable with {@link #goal}; NaN when there is none
 */
record Verdict(
        int number,
        String claim,
        String target,
        String measured,
        String storm,
        Outcome outcome,
        double value,
        double goal) {

    private static final double TRACKING_COST = 0.15;
    private static final double KEPT_PER_HOP = 0.70;
    private static final double P99_NANOS = 1e6;
    private static final double KEPT_UP = 0.99;

    /** Whether a promise was kept. */
    enum Outcome {
        MET("met"),
        NOT_MET("NOT MET"),
        NOT_COMPARED("needs --vs storm"),
        INVALID("INVALID");

        private final String words;

        Outcome(String words) {
            this.words = words;
        }

        static Outcome of(boolean met) {
            return met ? MET : NOT_MET;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    static Verdict speed(int number, String claim, SeriesPair pair, double goal) {
        double ratio = pair.ratio();
        String target = "at least " + NumberFormats.ratio(goal).replace(".0x", "x") + " Storm's best";
        String measured = pair.compared()
                ? NumberFormats.ratio(ratio)
                : NumberFormats.count(pair.updraft().messagesPerSecond().median()) + " messages/s";
        return new Verdict(
                number,
                claim,
                target,
                measured,
                stormRate(pair),
                outcome(pair.valid(), pair.compared(), ratio >= goal),
                ratio,
                goal);
    }

    static Verdict tracking(SeriesPair tracked, SeriesPair untracked) {
        double cost = cost(tracked.updraft(), untracked.updraft());
        double storms = tracked.ofPeer(series -> cost(series, untracked.peer()));
        return new Verdict(
                2,
                "cost of tracking, spout -> bolt",
                "at most " + NumberFormats.percent(TRACKING_COST),
                NumberFormats.percent(cost),
                NumberFormats.percent(storms),
                outcome(tracked.valid() && untracked.valid(), true, cost <= TRACKING_COST),
                cost,
                TRACKING_COST);
    }

    static Verdict largeTopology(SeriesPair many, SeriesPair small) {
        double kept = perHop(many.updraft()) / perHop(small.updraft());
        double storms = many.ofPeer(series -> perHop(series) / perHop(small.peer()));
        return new Verdict(
                4,
                "messages/s times hops of the large topology, as part of the small one's",
                "at least " + NumberFormats.percent(KEPT_PER_HOP),
                NumberFormats.percent(kept),
                NumberFormats.percent(storms),
                outcome(many.valid() && small.valid(), true, kept >= KEPT_PER_HOP),
                kept,
                KEPT_PER_HOP);
    }

    static Verdict latency(SeriesPair paced) {
        double p99 = p99(paced.updraft());
        double rate = paced.updraft().messagesPerSecond().median();
        boolean keptUp = rate >= KEPT_UP * paced.updraft().shape().rate();
        return new Verdict(
                5,
                "p99 complete latency at "
                        + NumberFormats.count(paced.updraft().shape().rate()) + " messages/s",
                "under 1 ms",
                NumberFormats.time(p99) + (keptUp ? "" : ", but only " + NumberFormats.count(rate) + " messages/s"),
                paced.compared() ? NumberFormats.time(p99(paced.peer())) : "-",
                outcome(paced.valid(), true, keptUp && p99 < P99_NANOS),
                p99,
                P99_NANOS);
    }

    static Verdict sizes(List<Series> sweep) {
        List<Integer> sizes = sweep.stream().map(s -> s.shape().messageSize()).toList();
        boolean valid = sweep.stream().allMatch(Series::valid);
        double rise = SizeAnomaly.find(sweep).map(SizeAnomaly::rise).orElse(0.0);
        return new Verdict(
                6,
                "message sizes " + sizes.get(0) + " B to " + sizes.get(sizes.size() - 1) + " B",
                "throughput never rises",
                SizeAnomaly.verdict(sweep),
                "-",
                outcome(valid, true, rise == 0),
                rise,
                0);
    }

    private static double cost(Series tracked, Series untracked) {
        return 1 - tracked.messagesPerSecond().ratioTo(untracked.messagesPerSecond());
    }

    /** {@return messages per second times the number of hops of a message} */
    private static double perHop(Series series) {
        return series.messagesPerSecond().median() * series.shape().levels();
    }

    private static double p99(Series series) {
        return series.latency(LatencyPercentiles::p99).median();
    }

    private static String stormRate(SeriesPair pair) {
        return pair.compared()
                ? NumberFormats.count(pair.peer().messagesPerSecond().median()) + " messages/s"
                : "-";
    }

    private static Outcome outcome(boolean valid, boolean compared, boolean met) {
        if (!valid) {
            return Outcome.INVALID;
        }
        return compared ? Outcome.of(met) : Outcome.NOT_COMPARED;
    }
}
