package io.updraft.bench;

import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.Shape;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * Finds a runtime's best settings for a shape with one short run of each candidate. The best candidate has the most messages per
 * second. In open loop it has the lowest p99 among the candidates that kept up with the schedule.
 */
final class PeerTuning {

    private static final long LONGEST_MILLIS = 3000;

    /** Longer than in one process, because several JVMs warm up on the same cores. */
    private static final long LONGEST_BETWEEN_WORKERS_MILLIS = 5000;

    private static final double KEPT_UP = 0.97;

    private final BenchRequest request;
    private final ShapeRunner runner;
    private final ProgressConsole console;

    PeerTuning(BenchRequest request, ShapeRunner runner, ProgressConsole console) {
        this.request = request;
        this.runner = runner;
        this.console = console;
    }

    PeerSettings best(BenchSide peer, Shape shape) throws IOException, InterruptedException {
        PeerSettings best = usual(peer, shape);
        if (!request.tune()) {
            return best;
        }
        console.say("Tuning " + peer.title() + ":");
        double bestScore = Double.NEGATIVE_INFINITY;
        for (PeerSettings candidate : candidates(peer, shape)) {
            RunResult result = runner.run(
                    peer,
                    "",
                    shape,
                    candidate,
                    Math.min(longestMillis(), request.timing().warmupMillis()),
                    Math.min(longestMillis(), request.timing().testMillis()));
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

    private PeerSettings usual(BenchSide peer, Shape shape) {
        if (peer == BenchSide.FLINK) {
            return PeerSettings.flink(BenchClassPaths.flinkVersion());
        }
        return request.workers().several()
                ? StormClusterSettings.usual(shape, request.maxSpoutPending())
                : StormSettings.usual(shape, request.maxSpoutPending());
    }

    private List<PeerSettings> candidates(BenchSide peer, Shape shape) {
        if (peer == BenchSide.FLINK) {
            return PeerSettings.flinkCandidates(BenchClassPaths.flinkVersion());
        }
        return request.workers().several()
                ? StormClusterSettings.candidates(shape, request.maxSpoutPending())
                : StormSettings.candidates(shape, request.maxSpoutPending());
    }

    private long longestMillis() {
        return request.workers().several() ? LONGEST_BETWEEN_WORKERS_MILLIS : LONGEST_MILLIS;
    }

    /** Returns a score; higher is better. A run that did not keep up with its schedule scores lower than any run that did. */
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

    private static String describe(PeerSettings candidate, Shape shape, RunResult result) {
        String latency = shape.openLoop()
                ? "   p99 " + NumberFormats.time(result.latency().p99())
                : "";
        return String.format(
                Locale.ROOT,
                "%-40s %,12.0f messages/s%s%s",
                candidate.name(),
                result.messagesPerSecond(),
                latency,
                result.valid() ? "" : "   INVALID, not considered");
    }
}
