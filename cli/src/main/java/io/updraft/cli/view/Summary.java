package io.updraft.cli.view;

import io.updraft.cluster.local.WorkerStatus;
import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.metrics.EngineSnapshot;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What one topology did from its start to its end. */
public final class Summary {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int LEAST_NAME = 9;
    private static final String FORMAT = "%13s%13s%13s%9s%8s%7s%7s";

    private Summary() {}

    /**
     * Draws the summary.
     *
     * @param name the topology's name
     * @param end its last state
     * @param workers the worker processes in which it ran; empty if it ran in this one
     * @param zone for times
     * @return the lines
     */
    public static List<String> of(String name, EngineSnapshot end, List<WorkerStatus> workers, ZoneId zone) {
        List<ComponentSnapshot> components = FlowOrder.of(end);
        int width = components.stream().mapToInt(c -> c.id().length()).reduce(LEAST_NAME, Math::max);
        List<String> lines = new ArrayList<>();
        lines.add(headline(name, end));
        lines.add(pad("component", width)
                + String.format(FORMAT, "emitted", "executed", "acked", "failed", "errors", "p50", "p99"));
        components.forEach(component -> lines.add(row(component, width)));
        lines.addAll(WorkerLines.restarts(workers, zone));
        if (end.inFlightTrees() > 0) {
            lines.add(Quantity.whole(end.inFlightTrees())
                    + " tuple trees were still in flight when it ended: they are lost"
                    + " unless the spouts' source replays them");
        }
        return lines;
    }

    private static String headline(String name, EngineSnapshot end) {
        double seconds = end.uptimeNanos() / NANOS_PER_SECOND;
        long acked = spouts(end).mapToLong(ComponentSnapshot::acked).sum();
        long failed = spouts(end).mapToLong(ComponentSnapshot::failed).sum();
        return String.format(
                Locale.ROOT,
                "%s ran %.1f s: %s tuple trees completed (%s/s), %s failed",
                name,
                seconds,
                Quantity.whole(acked),
                Quantity.count(acked / Math.max(seconds, 1e-9)),
                Quantity.whole(failed));
    }

    private static Stream<ComponentSnapshot> spouts(EngineSnapshot end) {
        return end.components().stream().filter(ComponentSnapshot::spout);
    }

    // A spout's latency is that of its tuple trees, a bolt's that of execute.
    private static String row(ComponentSnapshot component, int width) {
        var latency = component.spout() ? component.completeLatency() : component.executeLatency();
        return pad(component.id(), width)
                + String.format(
                        FORMAT,
                        Quantity.whole(component.emitted()),
                        component.spout() ? Quantity.NONE : Quantity.whole(component.executed()),
                        Quantity.whole(component.acked()),
                        Quantity.whole(component.failed()),
                        Quantity.whole(component.errors()),
                        Quantity.latency(latency.totalP50Nanos()),
                        Quantity.latency(latency.totalP99Nanos()));
    }

    private static String pad(String text, int width) {
        return String.format("%-" + width + "s", text);
    }
}
