package io.updraft.bench;

import io.updraft.bench.report.Statistics;
import io.updraft.bench.spec.LatencyPercentiles;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.Shape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The runs of one shape on one side.
 *
 * @param transport the transport between Updraft's workers; empty for one process and for other runtimes
 */
record Series(BenchSide side, String transport, Shape shape, String settings, List<RunResult> runs) {

    private static final double MEGABYTE = 1 << 20;
    private static final double MILLIS = 1e3;

    boolean valid() {
        return runs.stream().allMatch(RunResult::valid);
    }

    Statistics messagesPerSecond() {
        return of(RunResult::messagesPerSecond);
    }

    /** {@return megabytes (MiB) per second over all hops, as in Yahoo's storm-perf-test; 0 if the message size varies} */
    double megabytesPerSecond() {
        return sized() ? of(RunResult::transferredPerSecond).median() * shape.messageSize() / MEGABYTE : 0;
    }

    boolean sized() {
        return !shape.topology().equals("wordcount");
    }

    Statistics latency(ToDoubleFunction<LatencyPercentiles> percentile) {
        return of(run -> percentile.applyAsDouble(run.latency()));
    }

    boolean hasLatency() {
        return runs.stream().anyMatch(run -> run.latency().count() > 0);
    }

    Statistics of(ToDoubleFunction<RunResult> value) {
        return Statistics.of(runs.stream().mapToDouble(value).toArray());
    }

    /** {@return the runtime and its transport, which is the name of a line in figures} */
    String runtime() {
        return side.title() + (transport.isEmpty() ? "" : ", " + transport);
    }

    /** {@return whether the other series has the same shape on another side, with any transport} */
    boolean matches(Series other) {
        return side != other.side && shape.equals(other.shape);
    }

    /** {@return whether the other series is the same in workers that Updraft launched itself} */
    boolean matchesLocal(Series other) {
        return other.side == BenchSide.UPDRAFT && matches(other) && transport.equals(other.transport);
    }

    /** {@return seconds from submitting the topology until a bolt has processed a message} */
    Statistics startSeconds() {
        return of(run -> run.startMillis() / MILLIS);
    }

    /** {@return a short description of the shape, such as {@code sol 1-1 10B acked}} */
    String title() {
        return shape.topology() + " " + parallelism()
                + (sized() ? " " + shape.messageSize() + "B" : "")
                + (shape.zipf() == Shape.USUAL_ZIPF ? "" : " zipf " + shape.zipf())
                + (shape.acked() ? " acked" : " un-acked")
                + (shape.openLoop() ? " @" + shape.rate() + "/s" : "");
    }

    private String parallelism() {
        if (!sized()) {
            return shape.spouts() + "-" + Math.max(1, shape.bolts() / 2) + "-" + shape.bolts();
        }
        return shape.levels() <= 2
                ? shape.spouts() + ("-" + shape.bolts()).repeat(shape.levels())
                : shape.spouts() + "-" + shape.levels() + "x" + shape.bolts();
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("runtime", side.title());
        json.put("transport", transport);
        json.put("shape", shape);
        json.put("settings", settings);
        json.put("valid", valid());
        json.put("medianMessagesPerSecond", messagesPerSecond().median());
        json.put("medianStartSeconds", startSeconds().median());
        json.put("runs", runs.stream().map(RunResult::asMap).toList());
        return json;
    }
}
