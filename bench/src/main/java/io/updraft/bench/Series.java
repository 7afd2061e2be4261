package io.updraft.bench;

import io.updraft.bench.spec.Latency;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.Shape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The runs of one shape on one side.
 *
 * @param side where it ran
 * @param variant what else tells it from other series of that side
 * @param shape what ran
 * @param settings what the side was configured with, in words
 * @param runs what it gave, one or more
 */
record Series(Side side, Variant variant, Shape shape, String settings, List<RunResult> runs) {

    private static final double MEGABYTE = 1 << 20;
    private static final double MILLIS = 1e3;

    boolean valid() {
        return runs.stream().allMatch(RunResult::valid);
    }

    Stats messagesPerSecond() {
        return of(RunResult::messagesPerSecond);
    }

    /** {@return megabytes per second over all hops, as in Yahoo's storm-perf-test; 0 where messages have no one size} */
    double megabytesPerSecond() {
        return sized() ? of(RunResult::transferredPerSecond).median() * shape.messageSize() / MEGABYTE : 0;
    }

    boolean sized() {
        return !shape.topology().equals("wordcount");
    }

    Stats latency(ToDoubleFunction<Latency> percentile) {
        return of(run -> percentile.applyAsDouble(run.latency()));
    }

    boolean hasLatency() {
        return runs.stream().anyMatch(run -> run.latency().count() > 0);
    }

    Stats of(ToDoubleFunction<RunResult> value) {
        return Stats.of(runs.stream().mapToDouble(value).toArray());
    }

    /** {@return the runtime, and what it was joined by, in a few words: what a line of a figure is called} */
    String runtime() {
        return side.title() + (variant.transport().isEmpty() ? "" : ", " + variant.transport());
    }

    /** {@return the settings in a few words} */
    String allSettings() {
        return settings + (variant.transferBuffer() == 0 ? "" : ", buffer " + Sizes.words(variant.transferBuffer()));
    }

    /** {@return whether the other is the same on another side, but for what joins the workers} */
    boolean matches(Series other) {
        return side != other.side
                && shape.equals(other.shape)
                && variant.transferBuffer() == other.variant.transferBuffer();
    }

    /** {@return whether the other is the same in workers that Updraft has launched itself} */
    boolean matchesLocal(Series other) {
        return other.side == Side.UPDRAFT && matches(other) && variant.equals(other.variant);
    }

    /** {@return seconds from submitting the topology until a bolt has processed a message} */
    Stats startSeconds() {
        return of(run -> run.startMillis() / MILLIS);
    }

    /** {@return the shape in a few words} */
    String title() {
        return shape.topology() + " " + parallelism()
                + (sized() ? " " + shape.messageSize() + "B" : "")
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
        json.put("transport", variant.transport());
        json.put("transferBuffer", variant.transferBuffer());
        json.put("shape", shape.toJson());
        json.put("settings", settings);
        json.put("valid", valid());
        json.put("medianMessagesPerSecond", messagesPerSecond().median());
        json.put("medianStartSeconds", startSeconds().median());
        json.put("runs", runs.stream().map(RunResult::asMap).toList());
        return json;
    }
}
