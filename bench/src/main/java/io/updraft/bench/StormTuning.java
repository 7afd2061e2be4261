package io.updraft.bench;

import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.Shape;
import java.io.IOException;
import java.util.Locale;

/**
 * Finds Storm's best settings for a shape by one short run of each candidate: the most messages per second or, in open
 * loop, the lowest p99 among those that kept up.
 */
final class StormTuning {

    private static final long LONGEST_MILLIS = 3000;
    private static final double KEPT_UP = 0.97;

    private final Request request;
    private final Runner runner;
    private final Console console;

    StormTuning(Request request, Runner runner, Console console) {
        this.request = request;
        this.runner = runner;
        this.console = console;
    }

    StormSettings best(Shape shape) throws IOException, InterruptedException {
        StormSettings best = StormSettings.usual(shape, request.maxSpoutPending());
        if (!request.tune()) {
            return best;
        }
        console.say("Tuning Storm:");
        double bestScore = Double.NEGATIVE_INFINITY;
        for (StormSettings candidate : StormSettings.candidates(shape, request.maxSpoutPending())) {
            RunResult result = runner.run(
                    Side.STORM,
                    Variant.NONE,
                    shape,
                    candidate,
                    Math.min(LONGEST_MILLIS, request.timing().warmupMillis()),
                    Math.min(LONGEST_MILLIS, request.timing().testMillis()));
            console.say("  " + describe(candidate, shape, result));
            double score = score(shape, result);
            if (score > bestScore) {
                best = candidate;
                bestScore = score;
            }
        }
        console.say("  best: " + best.name());
        return best;
    }

    /** Higher is better. A run that did not keep up with its schedule is worse than any that did. */
    static double score(Shape shape, RunResult result) {
        if (!result.valid()) {
            return Double.NEGATIVE_INFINITY;
        }
        double rate = result.messagesPerSecond();
        if (!shape.openLoop()) {
            return rate;
        }
        return rate >= KEPT_UP * shape.rate() ? -result.latency().p99() / 1e12 : -1e12 + rate;
    }

    private static String describe(StormSettings candidate, Shape shape, RunResult result) {
        String latency =
                shape.openLoop() ? "   p99 " + Units.time(result.latency().p99()) : "";
        return String.format(
                Locale.ROOT,
                "%-40s %,12.0f messages/s%s%s",
                candidate.name(),
                result.messagesPerSecond(),
                latency,
                result.valid() ? "" : "   INVALID, not considered");
    }
}
