package io.updraft.cli.view;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.observe.process.WorkerStatus;
import io.updraft.observe.view.FlowOrder;
import io.updraft.observe.view.QuantityFormat;
import io.updraft.observe.view.TupleHolders;
import io.updraft.observe.view.WorkerLines;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Formats the summary of one topology, from its start to its end. */
public final class RunSummary {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int MIN_NAME_WIDTH = 9;
    private static final List<String> HEADINGS =
            List.of("emitted", "executed", "acked", "failed", "errors", "p50", "p99");

    /** The smallest width of each column in characters, including the gap before it. */
    private static final int[] MIN_WIDTHS = {13, 13, 13, 9, 8, 7, 7};

    private static final int GAP = 2;

    private static final String LOST =
            " were still in flight when it ended: they are lost unless the spouts' source replays them";

    private RunSummary() {}

    /** Returns the lines of the summary; the workers are empty if the topology ran in this process. */
    public static List<String> of(String name, EngineSnapshot end, List<WorkerStatus> workers, ZoneId zone) {
        List<ComponentSnapshot> components = FlowOrder.of(end);
        int width = components.stream().mapToInt(c -> c.id().length()).reduce(MIN_NAME_WIDTH, Math::max);
        List<String> lines = new ArrayList<>();
        lines.add(headline(name, end));
        List<List<String>> rows = components.stream().map(RunSummary::values).toList();
        int[] widths = widths(rows);
        lines.add(pad("component", width) + row(HEADINGS, widths));
        for (int i = 0; i < rows.size(); i++) {
            lines.add(pad(components.get(i).id(), width) + row(rows.get(i), widths));
        }
        lines.addAll(WorkerLines.restarts(workers, zone));
        if (end.inFlightTrees() > 0) {
            lines.add(QuantityFormat.whole(end.inFlightTrees()) + " tuple trees" + LOST);
            lines.addAll(unfinished(end));
        }
        return lines;
    }

    /** Returns the lines on lost tuple trees, for a run without a view; none if nothing was in flight. */
    public static List<String> ofLost(String name, EngineSnapshot end) {
        List<String> lines = new ArrayList<>();
        if (end.inFlightTrees() > 0) {
            lines.add("updraft: topology '" + name + "': " + QuantityFormat.whole(end.inFlightTrees()) + " tuple trees"
                    + LOST);
            lines.addAll(unfinished(end));
        }
        return lines;
    }

    private static List<String> unfinished(EngineSnapshot end) {
        Stream<String> oldest = TupleHolders.oldest(end).map(each -> "  the oldest message " + each);
        return Stream.concat(Stream.of(TupleHolders.unfinished(FlowOrder.of(end))), oldest)
                .toList();
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
                QuantityFormat.whole(acked),
                QuantityFormat.count(acked / Math.max(seconds, 1e-9)),
                QuantityFormat.whole(failed));
    }

    private static Stream<ComponentSnapshot> spouts(EngineSnapshot end) {
        return end.components().stream().filter(ComponentSnapshot::spout);
    }

    private static int[] widths(List<List<String>> rows) {
        int[] widths = MIN_WIDTHS.clone();
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length() + GAP);
            }
        }
        return widths;
    }

    // For a spout, shows the complete latency of its tuple trees; for a bolt, the latency of execute.
    private static List<String> values(ComponentSnapshot component) {
        var latency = component.spout() ? component.completeLatency() : component.executeLatency();
        return List.of(
                QuantityFormat.whole(component.emitted()),
                component.spout() ? QuantityFormat.NONE : QuantityFormat.whole(component.executed()),
                QuantityFormat.whole(component.acked()),
                QuantityFormat.whole(component.failed()),
                QuantityFormat.whole(component.errors()),
                QuantityFormat.latency(latency.totalP50Nanos()),
                QuantityFormat.latency(latency.totalP99Nanos()));
    }

    private static String row(List<String> values, int[] widths) {
        StringBuilder row = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            row.append(String.format("%" + widths[i] + "s", values.get(i)));
        }
        return row.toString();
    }

    private static String pad(String text, int width) {
        return String.format("%-" + width + "s", text);
    }
}
