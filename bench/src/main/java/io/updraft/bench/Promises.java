package io.updraft.bench;

import io.updraft.bench.spec.Latency;
import java.util.List;

/** Computes the verdict of each promised result from the measured series. */
final class Promises {

    private static final double TRACKING_COST = 0.15;
    private static final double KEPT_PER_HOP = 0.70;
    private static final double P99_NANOS = 1e6;
    private static final double KEPT_UP = 0.99;

    private Promises() {}

    static Verdict speed(int number, String what, Pair pair, double goal) {
        double ratio = pair.ratio();
        String target = "at least " + Units.ratio(goal).replace(".0x", "x") + " Storm's best";
        String measured = pair.compared()
                ? Units.ratio(ratio)
                : Units.count(pair.updraft().messagesPerSecond().median()) + " messages/s";
        return new Verdict(
                number,
                what,
                target,
                measured,
                stormRate(pair),
                outcome(pair.valid(), pair.compared(), ratio >= goal),
                ratio,
                goal);
    }

    static Verdict tracking(Pair tracked, Pair untracked) {
        double cost = cost(tracked.updraft(), untracked.updraft());
        double storms = tracked.ofStorm(series -> cost(series, untracked.storm()));
        return new Verdict(
                2,
                "cost of tracking, spout -> bolt",
                "at most " + Units.percent(TRACKING_COST),
                Units.percent(cost),
                Units.percent(storms),
                outcome(tracked.valid() && untracked.valid(), true, cost <= TRACKING_COST),
                cost,
                TRACKING_COST);
    }

    static Verdict largeTopology(Pair many, Pair small) {
        double kept = perHop(many.updraft()) / perHop(small.updraft());
        double storms = many.ofStorm(series -> perHop(series) / perHop(small.storm()));
        return new Verdict(
                4,
                "messages/s times hops of the large topology, as part of the small one's",
                "at least " + Units.percent(KEPT_PER_HOP),
                Units.percent(kept),
                Units.percent(storms),
                outcome(many.valid() && small.valid(), true, kept >= KEPT_PER_HOP),
                kept,
                KEPT_PER_HOP);
    }

    static Verdict latency(Pair paced) {
        double p99 = p99(paced.updraft());
        double rate = paced.updraft().messagesPerSecond().median();
        boolean keptUp = rate >= KEPT_UP * paced.updraft().shape().rate();
        return new Verdict(
                5,
                "p99 complete latency at " + Units.count(paced.updraft().shape().rate()) + " messages/s",
                "under 1 ms",
                Units.time(p99) + (keptUp ? "" : ", but only " + Units.count(rate) + " messages/s"),
                paced.compared() ? Units.time(p99(paced.storm())) : "-",
                outcome(paced.valid(), true, keptUp && p99 < P99_NANOS),
                p99,
                P99_NANOS);
    }

    static Verdict sizes(List<Series> sweep) {
        List<Integer> sizes = sweep.stream().map(s -> s.shape().messageSize()).toList();
        boolean valid = sweep.stream().allMatch(Series::valid);
        double rise = Anomaly.find(sweep).map(Anomaly::rise).orElse(0.0);
        return new Verdict(
                6,
                "message sizes " + sizes.get(0) + " B to " + sizes.get(sizes.size() - 1) + " B",
                "throughput never rises",
                Anomaly.verdict(sweep),
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
        return series.latency(Latency::p99).median();
    }

    private static String stormRate(Pair pair) {
        return pair.compared() ? Units.count(pair.storm().messagesPerSecond().median()) + " messages/s" : "-";
    }

    private static Verdict.Outcome outcome(boolean valid, boolean compared, boolean met) {
        if (!valid) {
            return Verdict.Outcome.INVALID;
        }
        return compared ? Verdict.Outcome.of(met) : Verdict.Outcome.NOT_COMPARED;
    }
}
